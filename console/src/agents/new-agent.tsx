import { useNavigate } from '@tanstack/react-router';
import { useState, type SyntheticEvent } from 'react';
import { Faults } from '../parts/faults';
import { Field } from '../parts/field';
import { useCreateAgent } from './queries';
import type { CreateAgent } from '../../../sdk/typescript/generated';

const EMPTY = '';

/** Example agents to start from, sorted by file name. */
const TEMPLATES: readonly CreateAgent[] = Object.values(
  import.meta.glob<CreateAgent>('../../../examples/agents/*.json', { import: 'default', eager: true }),
);

/** Form that creates an agent and then opens its page. */
export function NewAgent() {
  const [name, setName] = useState('');
  const [template, setTemplate] = useState(EMPTY);
  const { mutate, isPending, error } = useCreateAgent();
  const navigate = useNavigate();

  function submit(event: SyntheticEvent): void {
    event.preventDefault();
    const { config = {} } = TEMPLATES.find((each) => each.agent_display_name === template) ?? {};
    mutate(
      { agent_display_name: name.trim(), config },
      {
        onSuccess: ({ agent_id: agentId }) => void navigate({ to: '/agents/$agentId', params: { agentId } }),
      },
    );
  }

  return (
    <details className="body">
      <summary>New agent</summary>
      <form className="filters" aria-label="New agent" onSubmit={submit}>
        <Field label="Name">
          {(inputProps) => (
            <input
              {...inputProps}
              required
              pattern=".*\S.*"
              maxLength={255}
              autoComplete="off"
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <Field label="Start from">
          {(inputProps) => (
            <select {...inputProps} value={template} onChange={(event) => setTemplate(event.target.value)}>
              <option value={EMPTY}>An empty form</option>
              {TEMPLATES.map(({ agent_display_name: title }) => (
                <option key={title}>{title}</option>
              ))}
            </select>
          )}
        </Field>
        <button type="submit" className="button primary" disabled={isPending}>
          {isPending ? 'Creating…' : 'Create agent'}
        </button>
      </form>
      {error !== null && <Faults error={error} />}
    </details>
  );
}
