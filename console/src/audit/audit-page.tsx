import { getRouteApi, Link } from '@tanstack/react-router';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type AuditEntry, AUDIT_ACTIONS } from '../../../sdk/typescript/generated';
import { MAX_COUNTED } from '../../../domain/count-limits';
import { instantOf, dayAfter } from '../format/time';
import { PageHead } from '../parts/page-head';
import { Pager } from '../parts/pager';
import { QueryResult, Empty, ProblemOf } from '../parts/states';
import { useKeyNames } from '../keys/queries';
import { Choice, optionsWith, Day } from '../parts/field';
import { api } from '../api/client';
import { type AuditFilters, auditFilters } from './filters';
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
        <QueryResult query={audit} of="the audit log">
          {({ data, pagination }) =>
            data.length === 0 ? (
              <Empty title="No matching changes">
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
        </QueryResult>
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
function Subject({ of: { action, subject_id: id, subject_name: name } }: { of: AuditEntry }) {
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
    case 'rule_profile':
      return <span className="mono">{id}</span>;
    case 'key':
    case 'console':
      return name;
    default:
      return null;
  }
}

interface AuditFilterFormProps {
  filters: AuditFilters;
  onChange: (filters: AuditFilters) => void;
}

/** Each choice applies immediately. */
function AuditFilterForm({ filters, onChange }: AuditFilterFormProps) {
  const keys = useKeyNames();
  const change = (changes: Record<string, string>): void =>
    onChange(auditFilters({ ...filters, page: undefined, ...changes }));
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  const actors: (readonly [value: string, words: string])[] = [
    ['operator', 'The operator'],
    ['agent', 'Agents'],
    ...(keys.data ?? []).map(({ id, name, prefix }) => [id, `Key ${name ?? prefix}`] as const),
  ];

  return (
    <div className="filters" role="search" aria-label="Audit">
      {keys.data === undefined && <ProblemOf query={keys} />}
      <Choice unset="Anyone" label="Who" value={filters.who} onChoose={(who) => change({ who })}>
        {optionsWith(actors, filters.who)}
      </Choice>
      <Choice unset="Anything" label="What" value={filters.action} onChoose={(action) => change({ action })}>
        {AUDIT_ACTIONS.map((action) => (
          <option key={action} value={action}>
            {ACTION_WORDS[action]}
          </option>
        ))}
      </Choice>
      <Day label="From (UTC)" value={filters.from} onChoose={(from) => change({ from })} />
      <Day label="Until (UTC)" value={filters.to} onChoose={(to) => change({ to })} />
      {isFiltered && (
        <button type="button" className="button plain" onClick={() => onChange({})}>
          Clear
        </button>
      )}
    </div>
  );
}

const PAGE_SIZE = 50;

const useAudit = (filters: AuditFilters) =>
  useQuery({
    queryKey: ['audit', filters],
    queryFn: ({ signal }) => api.get('/api/audit', { query: queryOf(filters), signal }),
    placeholderData: keepPreviousData,
  });

function queryOf({ who, action, subject, from, to, page = 1 }: AuditFilters) {
  return {
    page,
    page_size: PAGE_SIZE,
    ...(who !== undefined && (isKind(who) ? { actor_kind: who } : { actor_id: who })),
    ...(action && { action }),
    ...(subject && { subject_id: subject }),
    ...(from && { from }),
    ...(to && { to: dayAfter(to) }),
  };
}

const isKind = (who: string): who is 'operator' | 'agent' => who === 'operator' || who === 'agent';
