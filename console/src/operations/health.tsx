import { useQuery } from '@tanstack/react-query';
import { Problem } from '../parts/states';
import { WorkflowsLink } from '../parts/workflow-link';

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

export function Health() {
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
          <Problem error={health.error} onRetry={() => void health.refetch()} />
        ) : (
          <dl className="facts">
            <dt>Database</dt>
            <dd>{standingOf(health.data?.carrier_events)}</dd>
            <dt>Temporal</dt>
            <dd>{standingOf(health.data?.temporal)}</dd>
            <WorkflowsLink />
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
