import { useQuery } from '@tanstack/react-query';
import { useLimits } from '../campaigns/new/queries';
import { countOf } from '../format/numbers';
import { Bar } from '../parts/bar';
import { PageHead } from '../parts/page-head';
import { Answer, Problem } from '../parts/states';
import { Deliveries } from '../webhooks/deliveries';
import { RedeliverFailed } from '../webhooks/redeliver-failed';

export function OperationsPage() {
  return (
    <>
      <PageHead title="Operations" />
      <div className="columns">
        <Deliveries of={{ status: 'failed' }} title="Deliveries that failed" beside={<RedeliverFailed />} />
        <div className="stack">
          <Capacity />
          <Health />
          <Elsewhere />
        </div>
      </div>
    </>
  );
}

function Capacity() {
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
        <Answer query={limits} of="the capacity">
          {({
            live_calls: live,
            max_concurrency: most,
            waiting_calls: waiting,
            rate_limits: rates,
            numbers,
          }) => (
            <>
              <Bar whole={most} parts={[{ tone: 'active', value: live }]} />
              <dl className="facts">
                <dt>Lines in use</dt>
                <dd>
                  {countOf(live)} of {countOf(most)}
                </dd>
                <dt>Waiting</dt>
                <dd>{countOf(waiting)} calls wait for a line</dd>
                <dt>Requests</dt>
                <dd>
                  {rateOf(rates.dispatch_per_minute)} calls, {rateOf(rates.other_per_minute)} others a minute
                </dd>
                {numbers.length > 0 && (
                  <>
                    <dt>Numbers</dt>
                    <dd>{numbers.join(', ')}</dd>
                  </>
                )}
              </dl>
            </>
          )}
        </Answer>
      </div>
    </section>
  );
}

const rateOf = (most: number): string => (most === 0 ? 'unlimited' : countOf(most));

interface Standing {
  carrier_events: string;
  temporal: string;
}

/** A part that is away answers 503, with the same words. */
const useHealth = () =>
  useQuery({
    queryKey: ['health'],
    queryFn: async ({ signal }) => (await (await fetch('/readyz', { signal })).json()) as Standing,
  });

function Health() {
  const health = useHealth();
  return (
    <section className="card" aria-labelledby="health">
      <header>
        <h2 id="health">Health</h2>
        <button type="button" className="button plain" onClick={() => void health.refetch()}>
          Refresh
        </button>
      </header>
      <div className="body">
        {health.isError ? (
          <Problem error={health.error} />
        ) : (
          <dl className="facts">
            <dt>Database</dt>
            <dd>{standingOf(health.data?.carrier_events)}</dd>
            <dt>Temporal</dt>
            <dd>{standingOf(health.data?.temporal)}</dd>
          </dl>
        )}
      </div>
    </section>
  );
}

function standingOf(standing: string | undefined) {
  if (standing === undefined) return '…';
  return standing === 'ok' ? (
    <span className="badge good">Answers</span>
  ) : (
    <span className="badge bad">Does not answer</span>
  );
}

function Elsewhere() {
  return (
    <section className="card" aria-labelledby="elsewhere">
      <header>
        <h2 id="elsewhere">Elsewhere</h2>
      </header>
      <ul className="body">
        <li>
          <a href="/playground">Talk to an agent</a> in the browser
        </li>
        <li>
          <a href="/api/docs">The API</a>, with its own page
        </li>
      </ul>
    </section>
  );
}
