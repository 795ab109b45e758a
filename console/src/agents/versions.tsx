import { getRouteApi, Link } from '@tanstack/react-router';
import type { AgentVersion } from '../../../sdk/typescript/generated';
import { instantOf } from '../format/time';
import { titleOf } from '../format/values';
import { Pager } from '../parts/pager';
import { QueryResult } from '../parts/states';
import { VERSIONS_PER_PAGE, useVersions } from './queries';
import { VersionDifferences } from './version-differences';

const route = getRouteApi('/agents/$agentId');

/** Lists the agent's versions and compares a selected one with the current version. */
export function Versions({ agentId, config }: { agentId: string; config: unknown }) {
  const { version: chosen, page = 1, ...rest } = route.useSearch();
  const navigate = route.useNavigate();
  const versions = useVersions(agentId, page);
  return (
    <div className="stack">
      {chosen !== undefined && (
        <VersionDifferences key={chosen} agentId={agentId} version={chosen} current={config} />
      )}
      <section className="card" aria-label="Versions">
        <QueryResult query={versions} of="the versions">
          {({ data, pagination }) => (
            <>
              <Table agentId={agentId} versions={data} chosen={chosen} />
              {pagination.total_count > VERSIONS_PER_PAGE && (
                <Pager
                  page={pagination.page}
                  pages={pagination.total_pages}
                  total={pagination.total_count}
                  of="versions"
                  onPage={(next) => void navigate({ search: { ...rest, page: next } })}
                />
              )}
            </>
          )}
        </QueryResult>
      </section>
    </div>
  );
}

interface TableProps {
  agentId: string;
  versions: readonly AgentVersion[];
  chosen: number | undefined;
}

function Table({ agentId, versions, chosen }: TableProps) {
  return (
    <div className="scroll">
      <table className="folds">
        <thead>
          <tr>
            <th>Version</th>
            <th>Changed</th>
            <th>When</th>
            <th>Calls</th>
          </tr>
        </thead>
        <tbody>
          {versions.map(({ version, created_at: at, current, used, changed }) => (
            <tr key={version}>
              <td>
                {current ? (
                  <>
                    <span className="only-number">Version {version}</span>{' '}
                    <span className="badge good">Current</span>
                  </>
                ) : (
                  <Link
                    to="/agents/$agentId"
                    params={{ agentId }}
                    search={(before) => ({ ...before, version })}
                    resetScroll={false}
                    className="row"
                    aria-current={version === chosen ? 'true' : undefined}
                  >
                    Version {version}
                  </Link>
                )}
              </td>
              <td className="wide">{changed.length === 0 ? 'Nothing' : changed.map(titleOf).join(', ')}</td>
              <td className="soft nowrap">{instantOf(at)}</td>
              <td className="soft">{used ? 'Used by calls' : 'None yet'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
