import type { CampaignDetail, CampaignProgress, CampaignOutcome } from '../../../sdk/typescript/generated';
import type { Live, LiveState } from '../api/live';
import { countOf, percentOf } from '../format/values';
import { inBothZones, instantInBothZones } from '../format/time';
import { Bar, type Tone, Figure } from '../parts/bar';
import { Loading } from '../parts/states';
import { contactsPerHour } from './pace';
import { wordsOf } from '../parts/status';

interface NowProps {
  campaign: CampaignDetail;
  live: Live;
  /** Latest event; undefined before the first. */
  progress: CampaignProgress | undefined;
}

const WORDS: Record<LiveState, string> = {
  connecting: 'Connecting…',
  live: 'Live updates',
  off: 'Live updates stopped',
};

/** Shows the current state of a campaign, updated by server-sent events. */
export function Now({ campaign, live, progress }: NowProps) {
  const why = (progress ?? campaign).status_reason;
  return (
    <section className="card" aria-labelledby="now">
      <header>
        <h2 id="now">Now</h2>
        <div className="aside buttons">
          <span role="status">{WORDS[live.state]}</span>
          {live.state === 'off' && (
            <button type="button" className="button" onClick={live.reconnect}>
              Reconnect
            </button>
          )}
        </div>
      </header>
      {progress === undefined && live.state !== 'off' ? (
        <Loading of="the campaign’s calls" />
      ) : (
        <div className="body">
          {progress !== undefined && <Lines progress={progress} />}
          <Waits why={why} progress={progress} />
          {progress !== undefined && (
            <>
              <h3>How calls ended</h3>
              <Outcomes outcomes={progress.outcomes} />
            </>
          )}
        </div>
      )}
    </section>
  );
}

/** Shows the results of a campaign that is over. */
export function Ended({ campaign, progress }: Pick<NowProps, 'campaign' | 'progress'>) {
  const { status_reason: why } = campaign;
  return (
    <section className="card" aria-labelledby="ended">
      <header>
        <h2 id="ended">How calls ended</h2>
      </header>
      <div className="body">
        {why !== null && <p className="reason">{inBothZones(why)}</p>}
        {progress !== undefined && <Outcomes outcomes={progress.outcomes} />}
      </div>
    </section>
  );
}

function Lines({ progress }: { progress: CampaignProgress }) {
  const { lines_in_use: used, call_concurrency: max, waiting_calls: waiting } = progress;
  const pace = contactsPerHour(progress);
  return (
    <>
      <Bar whole={max} parts={[{ tone: 'active', value: used }]} />
      <dl className="key">
        <Figure of="Lines in use" tone="active" beside={`of ${countOf(max)}`}>
          {countOf(used)}
        </Figure>
        <Figure of="Waiting for a line" beside={waiting === 1 ? 'call' : 'calls'}>
          {countOf(waiting)}
        </Figure>
        <Figure of="Dialled" beside="in the last minute">
          {countOf(progress.calls_per_minute)}
        </Figure>
        <Figure of="Pace" beside={pace === null ? undefined : 'contacts per hour'}>
          {pace === null ? '–' : countOf(pace)}
        </Figure>
      </dl>
    </>
  );
}

/** Shows why the campaign is waiting, and what happens next and when. */
function Waits({ why, progress }: { why: string | null; progress: NowProps['progress'] }) {
  const { next_step: next, next_redial_at: redial } = progress ?? { next_step: '', next_redial_at: null };
  return (
    <dl className="facts">
      {why !== null && (
        <>
          <dt>Why it’s waiting</dt>
          <dd className="reason">{inBothZones(why)}</dd>
        </>
      )}
      {next !== '' && (
        <>
          <dt>Next</dt>
          <dd>{capital(inBothZones(next))}</dd>
        </>
      )}
      {redial !== null && !next.includes('redial') && (
        <>
          <dt>Next redial</dt>
          <dd>
            <time dateTime={redial}>{instantInBothZones(redial)}</time>
          </dd>
        </>
      )}
    </dl>
  );
}

const capital = (sentence: string): string => sentence.charAt(0).toUpperCase() + sentence.slice(1);

/** Shows how the campaign's calls ended, most frequent outcome first. */
function Outcomes({ outcomes }: { outcomes: readonly CampaignOutcome[] }) {
  const whole = outcomes.reduce((sum, { calls }) => sum + calls, 0);
  const sorted = [...outcomes].sort((a, b) => b.calls - a.calls);
  if (whole === 0) return <p className="soft">No calls have ended yet.</p>;
  return (
    <ul className="outcomes" aria-label="How calls ended">
      {sorted.map(({ call_status: status, calls }) => (
        <li key={status}>
          <span>{wordsOf(status)}</span>
          <Bar whole={whole} parts={[{ tone: toneOf(status), value: calls }]} />
          <span className="number">
            {countOf(calls)} <small className="soft">{percentOf(calls, whole)}</small>
          </span>
        </li>
      ))}
    </ul>
  );
}

function toneOf(status: CampaignOutcome['call_status']): Tone {
  switch (status) {
    case 'completed':
    case 'User disconnected':
      return 'done';
    case 'voicemail':
    case 'no answer':
    case 'busy':
      return 'open';
    case 'rejected':
    case 'failed':
    case 'error':
      return 'lost';
    case 'DND':
    case 'cancelled':
    case 'expired':
      return 'none';
  }
}
