import { useAgents } from '../../agents/queries';
import { Field } from '../../parts/field';
import { ProblemOf } from '../../parts/states';
import { ScheduleFields } from '../schedule-fields';
import type { Draft } from './draft';
import { useLimits } from './queries';

interface FieldsProps {
  draft: Draft;
  zone: string;
  onChange: (changes: Partial<Draft>) => void;
}

export function Fields(props: FieldsProps) {
  return (
    <section className="card" aria-labelledby="what">
      <header>
        <h2 id="what">Campaign</h2>
      </header>
      <div className="body">
        <Who {...props} />
        <ScheduleFields {...props} />
        <details>
          <summary>Dials, reports and lists</summary>
          <More {...props} />
        </details>
      </div>
    </section>
  );
}

function Who({ draft, onChange }: FieldsProps) {
  const agents = useAgents();
  const limits = useLimits();
  return (
    <div className="grid">
      {agents.data === undefined && <ProblemOf query={agents} />}
      <Field label="Name">
        {(ties) => (
          <input
            {...ties}
            value={draft.name}
            maxLength={255}
            placeholder="November reminders"
            onChange={(event) => onChange({ name: event.target.value })}
          />
        )}
      </Field>
      <Field
        label="Agent"
        help={agents.data?.length === 0 ? 'There is none yet. Create one on the Agents page' : undefined}
      >
        {(ties) => (
          <select
            {...ties}
            value={draft.agentId}
            onChange={(event) => onChange({ agentId: event.target.value })}
          >
            <option value="">{agents.isPending ? 'Loading…' : 'Choose…'}</option>
            {agents.data?.map(({ id, display_name: name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field
        label="Lines"
        help={limits.data && `Calls at the same time; your limit is ${limits.data.max_concurrency}`}
      >
        {(ties) => (
          <input
            {...ties}
            type="number"
            min={1}
            max={limits.data?.max_concurrency}
            value={draft.lines}
            onChange={(event) => onChange({ lines: event.target.valueAsNumber })}
          />
        )}
      </Field>
    </div>
  );
}

interface InputProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

function More({ draft, onChange }: FieldsProps) {
  return (
    <div className="grid">
      <Field label="Dials per contact" help="1 to 10; 1 means no redial">
        {(ties) => (
          <input
            {...ties}
            type="number"
            min={1}
            max={10}
            value={draft.dials}
            onChange={(event) => onChange({ dials: event.target.valueAsNumber })}
          />
        )}
      </Field>
      <Field label="Minutes until a redial" help="From the end of the call, 0 to 1,440">
        {(ties) => (
          <input
            {...ties}
            type="number"
            min={0}
            max={1440}
            value={draft.pauseMins}
            onChange={(event) => onChange({ pauseMins: event.target.valueAsNumber })}
          />
        )}
      </Field>
      <TextField
        label="E-mail the report to"
        value={draft.emails}
        onChange={(emails) => onChange({ emails })}
      />
      <TextField
        label="Webhook of the campaign"
        value={draft.campaignWebhook}
        onChange={(campaignWebhook) => onChange({ campaignWebhook })}
      />
      <TextField
        label="Webhook of each call"
        value={draft.callWebhook}
        onChange={(callWebhook) => onChange({ callWebhook })}
      />
      <label className="check">
        <input
          type="checkbox"
          checked={draft.checksRegistry}
          onChange={(event) => onChange({ checksRegistry: event.target.checked })}
        />
        Check do-not-disturb lists
      </label>
    </div>
  );
}

function TextField({ label, value, onChange }: InputProps) {
  return (
    <Field label={label}>
      {(ties) => <input {...ties} value={value} onChange={(event) => onChange(event.target.value)} />}
    </Field>
  );
}
