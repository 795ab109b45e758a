import { useState, type SyntheticEvent } from 'react';
import { CALL_STATUSES } from '../../../sdk/typescript/generated';
import { useAgents } from '../agents/queries';
import { useCampaigns } from '../campaigns/queries';
import { Choice, optionsWith, Day, Field } from '../parts/field';
import { ProblemOf } from '../parts/states';
import { wordsOf } from '../parts/status';
import { callFilters, type CallFilters } from './filters';

interface CallFilterFormProps {
  filters: CallFilters;
  onChange: (filters: CallFilters) => void;
}

/** Filters apply immediately. The search applies when the user submits it. */
export function CallFilterForm({ filters, onChange }: CallFilterFormProps) {
  const agents = useAgents();
  const campaigns = useCampaigns({});
  const change = (changes: Record<string, string>): void =>
    onChange(callFilters({ ...filters, page: undefined, ...changes }));
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  const campaignChoices = campaigns.data?.campaigns.map((one) => [one.id, one.campaign_name] as const) ?? [];
  const agentChoices = agents.data?.map((one) => [one.id, one.display_name] as const) ?? [];

  return (
    <div className="filters" role="search" aria-label="Calls">
      {agents.data === undefined && <ProblemOf query={agents} />}
      {campaigns.data === undefined && <ProblemOf query={campaigns} />}
      <Search key={filters.search} value={filters.search} onSearch={(search) => change({ search })} />
      <Choice unset="All" label="Status" value={filters.status} onChoose={(status) => change({ status })}>
        {CALL_STATUSES.map((status) => (
          <option key={status} value={status}>
            {wordsOf(status)}
          </option>
        ))}
      </Choice>
      <Choice unset="All" label="Agent" value={filters.agent} onChoose={(agent) => change({ agent })}>
        {optionsWith(agentChoices, filters.agent)}
      </Choice>
      <Choice
        unset="All"
        label="Campaign"
        value={filters.campaign}
        onChoose={(campaign) => change({ campaign })}
      >
        {optionsWith(campaignChoices, filters.campaign)}
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

function Search({ value = '', onSearch }: { value?: string | undefined; onSearch: (words: string) => void }) {
  const [words, setWords] = useState(value);
  function submit(event: SyntheticEvent): void {
    event.preventDefault();
    onSearch(words.trim());
  }
  return (
    <form className="searching" onSubmit={submit}>
      <Field label="Search transcripts">
        {(inputProps) => (
          <input
            {...inputProps}
            type="search"
            placeholder="For example, refund"
            maxLength={255}
            value={words}
            onChange={(event) => setWords(event.target.value)}
          />
        )}
      </Field>
      <button type="submit" className="button">
        Search
      </button>
    </form>
  );
}
