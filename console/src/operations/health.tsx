import { useQuery } from '@tanstack/react-query';
import { problemOf } from '../api/client';
import { Answer } from '../parts/states';
import { WorkflowsLink } from '../parts/workflow-link';

interface Standing {
  carrier_events: string;
  temporal: string;
}

/** A part that is away answers 503, with the same words; a 503 of anything else has others. */
async function readStanding(signal: AbortSignal): Promise<Standing> {
  const response = await fetch('/readyz', { signal });
  const copy = response.clone();
  const read = (await response.json().catch(() => null)) as Partial<Standing> | null;
  if (read?.carrier_events === undefined || read.temporal === undefined) throw await problemOf(copy);
  return { carrier_events: read.carrier_events, temporal: read.temporal };
}

const useHealth = () => useQuery({ queryKey: ['health'], queryFn: ({ signal }) => readStanding(signal) });

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
        <Answer query={health} of="the health">
          {({ carrier_events: database, temporal }) => (
            <dl className="facts">
              <dt>Database</dt>
              <dd>
                <Part standing={database} />
              </dd>
              <dt>Temporal</dt>
              <dd>
                <Part standing={temporal} />
              </dd>
              <WorkflowsLink />
            </dl>
          )}
        </Answer>
      </div>
    </section>
  );
}

function Part({ standing }: { standing: string }) {
  return standing === 'ok' ? (
    <span className="badge good">Answers</span>
  ) : (
    <span className="badge bad">Does not answer</span>
  );
}
