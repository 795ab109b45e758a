import { useLimits } from '../campaigns/queries';
import { countOf } from '../format/values';
import { Bar } from '../parts/bar';
import { QueryResult } from '../parts/states';

export function Capacity() {
  const limits = useLimits();
  return (
    <section className="card" aria-labelledby="capacity">
      <header>
        <h2 id="capacity">Capacity</h2>
        <button type="button" className="button plain" onClick={() => void limits.refetch()}>
          Refresh
        </button>
      </header>
      <div className="body">
        <QueryResult query={limits} of="the capacity">
          {({
            live_calls: live,
            max_concurrency: max,
            waiting_calls: waiting,
            rate_limits: rates,
            numbers,
          }) => (
            <>
              <Bar whole={max} parts={[{ tone: 'active', value: live }]} />
              <dl className="facts">
                <dt>Lines in use</dt>
                <dd>
                  {countOf(live)} of {countOf(max)}
                </dd>
                <dt>Waiting for a line</dt>
                <dd>
                  {countOf(waiting)} {waiting === 1 ? 'call' : 'calls'}
                </dd>
                <dt>New calls</dt>
                <dd>{rateOf(rates.dispatch_per_minute)}</dd>
                <dt>Other requests</dt>
                <dd>{rateOf(rates.other_per_minute)}</dd>
                {numbers.length > 0 && (
                  <>
                    <dt>Numbers</dt>
                    <dd>{numbers.join(', ')}</dd>
                  </>
                )}
              </dl>
            </>
          )}
        </QueryResult>
      </div>
    </section>
  );
}

const rateOf = (max: number): string => (max === 0 ? 'Unlimited' : `Up to ${countOf(max)} per minute`);
