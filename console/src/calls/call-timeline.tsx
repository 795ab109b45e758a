import type { Call } from '../../../sdk/typescript/generated';
import { clockOf, instantOf } from '../format/time';
import { useDeliveries } from '../webhooks/queries';
import { timelineOf } from './timeline';

/** What happened with the call, in order; the first page of its deliveries is read for it and for their table together. */
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

/** With the day where it is another than that of the beginning. */
function momentOf(at: string, start: string): string {
  const isSameDay = new Date(at).toDateString() === new Date(start).toDateString();
  return isSameDay ? clockOf(at) : instantOf(at);
}
