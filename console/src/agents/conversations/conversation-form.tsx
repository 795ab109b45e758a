import { useState, type ReactNode, type SyntheticEvent } from 'react';
import { KEPT_LIMITS } from '../../../../domain/kept-conversation-limits';
import { Faults } from '../../parts/faults';
import { Field } from '../../parts/field';
import { EMPTY_TURN, type Draft, type TurnDraft } from './draft';
import { TurnFields } from './turn-fields';

interface ConversationFormProps {
  draft: Draft;
  /** Error from the last failed save. */
  error: unknown;
  isSaving: boolean;
  onSave: (draft: Draft) => void;
  onClose: () => void;
  children?: ReactNode;
}

export function ConversationForm({
  draft: first,
  error,
  isSaving,
  onSave,
  onClose,
  children,
}: ConversationFormProps) {
  const [{ title, variables, turns }, setDraft] = useState(first);
  const change = (changes: Partial<Draft>): void => setDraft((before) => ({ ...before, ...changes }));
  const setTurn = (at: number, changes: Partial<TurnDraft>): void =>
    change({ turns: turns.map((turn, index) => (index === at ? { ...turn, ...changes } : turn)) });

  function submit(event: SyntheticEvent): void {
    event.preventDefault();
    onSave({ title, variables, turns });
  }

  return (
    <section className="card" aria-labelledby="conversation-form">
      <header>
        <h2 id="conversation-form">{first.title === '' ? 'New conversation' : first.title}</h2>
      </header>
      <form className="body" onSubmit={submit}>
        <About title={title} variables={variables} onChange={change} />
        {turns.map((turn, index) => (
          <TurnFields
            key={index}
            number={index + 1}
            turn={turn}
            onChange={(changes) => setTurn(index, changes)}
            {...(turns.length > 1 && {
              onRemove: () => change({ turns: turns.filter((_turn, at) => at !== index) }),
            })}
          />
        ))}
        {error !== null && <Faults error={error} />}
        <div className="row-of">
          <button
            type="button"
            className="button"
            disabled={turns.length >= KEPT_LIMITS.turns}
            onClick={() => change({ turns: [...turns, EMPTY_TURN] })}
          >
            Add turn
          </button>
          {children}
          <button type="button" className="button" onClick={onClose}>
            Back
          </button>
          <button type="submit" className="button primary" disabled={isSaving}>
            {isSaving ? 'Saving…' : 'Save'}
          </button>
        </div>
      </form>
    </section>
  );
}

interface AboutProps extends Pick<Draft, 'title' | 'variables'> {
  onChange: (changes: Partial<Draft>) => void;
}

function About({ title, variables, onChange }: AboutProps) {
  return (
    <>
      <Field label="Title">
        {(inputProps) => (
          <input
            {...inputProps}
            required
            maxLength={KEPT_LIMITS.title}
            value={title}
            placeholder="Late refund"
            onChange={(event) => onChange({ title: event.target.value })}
          />
        )}
      </Field>
      <Field
        label="Variables"
        help="The contact’s variables as name=value, one per line. Don’t use real people’s data."
      >
        {(inputProps) => (
          <textarea
            {...inputProps}
            rows={2}
            value={variables}
            placeholder="name=Asha"
            onChange={(event) => onChange({ variables: event.target.value })}
          />
        )}
      </Field>
    </>
  );
}
