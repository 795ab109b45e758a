import { useQuery } from '@tanstack/react-query';
import { ApiError } from '../../../sdk/typescript/errors';
import type { PartHealth } from '../../../sdk/typescript/generated';
import { api } from '../api/client';
import { instantOf } from '../format/time';
import { QueryResult } from '../parts/states';
import { WorkflowsLink } from '../parts/workflow-link';
import { PART_NAMES, partsOfProbe, reasonOf, STATUS_TONES, STATUS_WORDS } from './health-words';

async function readParts(signal: AbortSignal): Promise<PartHealth[]> {
  try {
    return (await api.get('/api/health', { signal })).parts;
  } catch (error) {
    const parts = error instanceof ApiError && error.status === 503 ? await readProbe(signal) : null;
    if (parts === null) throw error;
    return parts;
  }
}

/** Reads the readiness probe. Its 503 response also lists the parts. */
async function readProbe(signal: AbortSignal): Promise<PartHealth[] | null> {
  const response = await fetch('/readyz', { signal });
  return partsOfProbe(await response.json().catch(() => null));
}

const useHealth = () => useQuery({ queryKey: ['health'], queryFn: ({ signal }) => readParts(signal) });

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
        <QueryResult query={health} of="the health">
          {(parts) => (
            <dl className="facts">
              {parts.map((part) => (
                <Part key={part.part} of={part} />
              ))}
              <WorkflowsLink />
            </dl>
          )}
        </QueryResult>
      </div>
    </section>
  );
}

function Part({ of }: { of: PartHealth }) {
  const reason = reasonOf(of);
  return (
    <>
      <dt>{PART_NAMES[of.part]}</dt>
      <dd>
        <span className={`badge ${STATUS_TONES[of.status]}`}>{STATUS_WORDS[of.status]}</span>
        {reason !== null && (
          <div className="soft small">
            {reason}
            {of.since !== null && ` (since ${instantOf(of.since)})`}
          </div>
        )}
      </dd>
    </>
  );
}
