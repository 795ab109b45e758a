import { getRouteApi, Link } from '@tanstack/react-router';
import type { AuditEntry } from '../../../sdk/typescript/generated';
import { MAX_COUNTED } from '../../../domain/count-limits';
import { instantOf } from '../format/time';
import { PageHead } from '../parts/page-head';
import { Pager } from '../parts/pager';
import { Answer, Empty } from '../parts/states';
import { AuditFilterForm } from './audit-filter-form';
import type { AuditFilters } from './filters';
import { useAudit } from './queries';
import { ACTION_WORDS, whoOf } from './words';

const route = getRouteApi('/audit');

export function AuditPage() {
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const audit = useAudit(filters);
  return (
    <>
      <PageHead title="Audit" />
      <AuditFilterForm filters={filters} onChange={(search) => void navigate({ search })} />
      <section className="card" aria-label="Changes">
        <Answer query={audit} of="the audit">
          {({ data, pagination }) =>
            data.length === 0 ? (
              <Empty title="No changes">
                <Link to="/audit">Show everything</Link>
              </Empty>
            ) : (
              <>
                <Table entries={data} filters={filters} />
                <Pager
                  page={pagination.page}
                  pages={pagination.total_pages}
                  total={pagination.total_count}
                  of={pagination.total_count === 1 ? 'change' : 'changes'}
                  isAtLeast={pagination.total_count >= MAX_COUNTED}
                  onPage={(page) => void navigate({ search: { ...filters, page } })}
                />
              </>
            )
          }
        </Answer>
      </section>
    </>
  );
}

function Table({ entries, filters }: { entries: AuditEntry[]; filters: AuditFilters }) {
  return (
    <div className="scroll">
      <table className="folds">
        <thead>
          <tr>
            <th>Action</th>
            <th>Object</th>
            <th>Changed fields</th>
            <th>Who</th>
            <th>When</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry, index) => (
            <tr key={index}>
              <td>{ACTION_WORDS[entry.action]}</td>
              <td>
                <Subject of={entry} />
              </td>
              <td className="wide soft">{entry.fields.join(', ')}</td>
              <td>
                <Link
                  to="/audit"
                  search={{ ...filters, page: undefined, who: entry.actor.id ?? entry.actor.kind }}
                >
                  {whoOf(entry.actor)}
                </Link>
              </td>
              <td className="soft nowrap">{instantOf(entry.at)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Shows the changed object, linked to its page if it has one. */
export function Subject({ of: { action, subject_id: id, subject_name: name } }: { of: AuditEntry }) {
  switch (action.split('.')[0]) {
    case 'campaign':
      return (
        <Link to="/campaigns/$campaignId" params={{ campaignId: id }}>
          {name ?? id}
        </Link>
      );
    case 'agent':
      return name === null ? (
        <span className="mono">{id}</span>
      ) : (
        <Link to="/agents/$agentId" params={{ agentId: id }}>
          {name}
        </Link>
      );
    case 'call':
      return (
        <Link to="/calls/$callId" params={{ callId: id }} className="mono">
          {id}
        </Link>
      );
    case 'delivery':
      return <span className="mono">{id}</span>;
    case 'key':
    case 'console':
      return name;
    default:
      return null;
  }
}
