import type { SimulatedCampaign, SimulatedPeriod } from '../../../../sdk/typescript/generated';
import { countOf, creditsOf, percentOf } from '../../format/values';
import { instantOf } from '../../format/time';
import { Outlook } from '../outlook';

/** Shows the result of a dry run, which applies the engine's rules to assumed calls. */
export function DryRun({ result, zone }: { result: SimulatedCampaign; zone: string }) {
  const { contacts, expired, assumptions } = result;
  const skipped = contacts.duplicate + contacts.dnd;
  return (
    <div className="stack" role="status">
      <dl className="key">
        <div>
          <dt>{result.status === 'paused' ? 'Paused by a spend limit' : 'Ends'}</dt>
          <dd>{instantOf(result.finishes_at ?? result.paused_at, new Date(), zone)}</dd>
        </div>
        <div>
          <dt>Cost</dt>
          <dd>{creditsOf(result.cost)}</dd>
        </div>
        <div>
          <dt>Calls</dt>
          <dd>
            {countOf(result.total_calls)}{' '}
            <small>{percentOf(result.answered_calls, result.total_calls)} answered</small>
          </dd>
        </div>
      </dl>
      <Hours periods={result.calls_per_hour} zone={zone} />
      <Outlook result={result} mark="Start" />
      {contacts.invalid > 0 && <p>The rules never allow calls to {countOf(contacts.invalid)} contacts.</p>}
      {skipped > 0 && (
        <p>
          {countOf(skipped)} of {countOf(contacts.total)} contacts won’t be called:{' '}
          {countOf(contacts.duplicate)} duplicates and {countOf(contacts.dnd)} on a do-not-disturb list.
        </p>
      )}
      {expired.total > 0 && (
        <div className="note wait">
          <strong>{countOf(expired.total)} contacts can’t be called before the last window ends.</strong>
          <span className="small">
            {countOf(expired.never_dialled)} of them would never be dialled. Rows:{' '}
            {expired.rows.slice(0, 12).join(', ')}
            {expired.total > 12 && '…'}
          </span>
        </div>
      )}
      <p className="soft small">
        Assumes that {percentOf(assumptions.assumed_answer_rate, 1)} of calls are answered after{' '}
        {assumptions.assumed_ring_seconds} s of ringing and last {assumptions.assumed_talk_seconds} s. Uses up
        to {result.lines.used_at_most} {result.lines.used_at_most === 1 ? 'line' : 'lines'}.
      </p>
    </div>
  );
}

const MAX_BARS = 48;

function Hours({ periods, zone }: { periods: readonly SimulatedPeriod[]; zone: string }) {
  const shown = periods.slice(0, MAX_BARS);
  const max = Math.max(1, ...shown.map(({ calls }) => calls));
  return (
    <figure>
      <figcaption className="small soft">
        Calls by hour{periods.length > MAX_BARS && `, the first ${MAX_BARS} hours`}
      </figcaption>
      <ol className="hours">
        {shown.map(({ from, calls }) => (
          <li key={from} title={`${instantOf(from, new Date(), zone)}: ${countOf(calls)} calls`}>
            <span style={{ height: `${Math.max(4, (calls / max) * 100)}%` }} />
            <span className="only-heard">
              {instantOf(from, new Date(), zone)}: {countOf(calls)} calls
            </span>
          </li>
        ))}
      </ol>
    </figure>
  );
}
