import { useAgents } from '../../agents/queries';
import { Field } from '../../parts/field';
import { ProblemOf } from '../../parts/states';
import {
  LinesField,
  NotificationFields,
  RedialFields,
  RuleProfileField,
  ScheduleFields,
} from '../term-fields';
import type { Draft } from './draft';

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
        <Basics {...props} />
        <ScheduleFields schedule={props.draft} zone={props.zone} onChange={props.onChange} />
        <details>
          <summary>More options</summary>
          <MoreOptions {...props} />
        </details>
      </div>
    </section>
  );
}

function Basics({ draft, onChange }: FieldsProps) {
  const agents = useAgents();
  return (
    <div className="grid">
      {agents.data === undefined && <ProblemOf query={agents} />}
      <Field label="Name">
        {(inputProps) => (
          <input
            {...inputProps}
            value={draft.name}
            maxLength={255}
            placeholder="November reminders"
            onChange={(event) => onChange({ name: event.target.value })}
          />
        )}
      </Field>
      <Field
        label="Agent"
        help={agents.data?.length === 0 ? 'No agents yet. Create one on the Agents page.' : undefined}
      >
        {(inputProps) => (
          <select
            {...inputProps}
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
      <LinesField terms={draft} onChange={onChange} />
    </div>
  );
}

function MoreOptions({ draft, onChange }: FieldsProps) {
  return (
    <div className="grid">
      <RedialFields terms={draft} onChange={onChange} />
      <RuleProfileField terms={draft} onChange={onChange} />
      <NotificationFields terms={draft} onChange={onChange} />
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
