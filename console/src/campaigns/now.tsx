import type { CampaignProgress } from '../../../sdk/typescript/generated';
import { countOf } from '../format/numbers';
import { restAtPace } from '../format/pace';
import { instantOf } from '../format/time';
import { Bar } from '../parts/bar';

/** What a campaign does at this moment, and what it waits for. */
export function Now({ progress }: { progress: CampaignProgress }) {
  const { lines_in_use: inUse, call_concurrency: lines, calls_per_minute: pace } = progress;
  return (
    <section className="card" aria-labelledby="now">
      <header>
        <h2 id="now">Now</h2>
      </header>
      <div className="body">
        <p className="reason">{sentence(progress.next_step)}</p>
        <Bar whole={lines} parts={[{ tone: 'active', value: inUse }]} />
        <dl className="key">
          <Figure of="Lines in use" value={countOf(inUse)} beside={`of ${countOf(lines)}`} />
          <Figure of="Waiting for a line" value={countOf(progress.waiting_calls)} />
          <Figure of="Calls a minute" value={countOf(pace)} />
          <Figure of="The rest at this pace" value={restAtPace(progress.stats.pending, pace)} />
          {progress.next_redial_at !== null && (
            <Figure of="Next redial" value={instantOf(progress.next_redial_at)} />
          )}
        </dl>
      </div>
    </section>
  );
}

function Figure({ of, value, beside }: { of: string; value: string; beside?: string }) {
  return (
    <div>
      <dt>{of}</dt>
      <dd>
        {value} {beside !== undefined && <small>{beside}</small>}
      </dd>
    </div>
  );
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
