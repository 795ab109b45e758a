import { AUDIT_ACTIONS } from '../../../sdk/typescript/generated';
import { useKeyNames } from '../keys/queries';
import { Choice, optionsWith } from '../parts/choice';
import { Day } from '../parts/day';
import { ProblemOf } from '../parts/states';
import { auditFilters, type AuditFilters } from './filters';
import { ACTION_WORDS } from './words';

interface AuditFilterFormProps {
  filters: AuditFilters;
  onChange: (filters: AuditFilters) => void;
}

/** Each choice applies immediately. */
export function AuditFilterForm({ filters, onChange }: AuditFilterFormProps) {
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
