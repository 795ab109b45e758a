import type { Call } from '../../../sdk/typescript/generated';
import { clockOf, instantOf } from '../format/time';
import { useDeliveries } from '../webhooks/queries';
import { timelineOf } from './timeline';

/** Lists the call's events in order. Shares its query with the first page of the table of deliveries. */
export function CallTimeline({ call }: { call: Call }) {
  const deliveries = useDeliveries({ call_id: call.call_id, page: 1 });
  const entries = timelineOf(call, deliveries.data?.data ?? []);
  return (
    <section className="card" aria-labelledby="timeline">
      <header>
        <h2 id="timeline">Timeline</h2>
        <span className="aside">{instantOf(call.Start_time)}</span>
      </header>
      <ol className="body timeline" aria-labelledby="timeline">
        {entries.map(({ at, what, tone }, index) => (
          <li key={index}>
            <span className="at">
              {at !== null && <time dateTime={at}>{momentOf(at, call.Start_time)}</time>}
            </span>
            <i className={tone} aria-hidden="true" />
            <span className="what">{what}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Formats the time of an entry, with the date if it isn't the first day. */
function momentOf(at: string, start: string): string {
  const isSameDay = new Date(at).toDateString() === new Date(start).toDateString();
  return isSameDay ? clockOf(at) : instantOf(at);
}
