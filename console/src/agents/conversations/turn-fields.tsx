import { KEPT_LIMITS } from '../../../../domain/kept-conversation-limits';
import { Choice } from '../../parts/choice';
import { Field } from '../../parts/field';
import type { TurnDraft } from './draft';

interface TurnFieldsProps {
  /** Turn number, starting at 1. */
  place: number;
  turn: TurnDraft;
  onChange: (changes: Partial<TurnDraft>) => void;
  onRemove?: () => void;
}

const LISTS = [
  ['contains', 'Says all of'],
  ['contains_any', 'Says one of'],
  ['not_contains', 'Says none of'],
] as const;

export function TurnFields({ place, turn, onChange, onRemove }: TurnFieldsProps) {
  return (
    <fieldset className="turn">
      <legend>Turn {place}</legend>
      <Field
        label="The person types"
        help={place === 1 ? 'Leave it empty if the agent opens the conversation.' : undefined}
        className="wide"
      >
        {(ties) => (
          <textarea
            {...ties}
            rows={1}
            required={place > 1}
            maxLength={KEPT_LIMITS.typed}
            value={turn.user}
            onChange={(event) => onChange({ user: event.target.value })}
          />
        )}
      </Field>
      <div className="grid">
        {LISTS.map(([name, label]) => (
          <Field key={name} label={label} help="One per line. Case doesn’t matter.">
            {(ties) => (
              <textarea
                {...ties}
                rows={2}
                value={turn[name]}
                onChange={(event) => onChange({ [name]: event.target.value })}
              />
            )}
          </Field>
        ))}
        <Manner turn={turn} onChange={onChange} />
      </div>
      {onRemove !== undefined && (
        <button type="button" className="button plain" onClick={onRemove}>
          Remove turn {place}
        </button>
      )}
    </fieldset>
  );
}

function Manner({ turn, onChange }: Pick<TurnFieldsProps, 'turn' | 'onChange'>) {
  return (
    <>
      <Field label="Maximum words">
        {(ties) => (
          <input
            {...ties}
            type="number"
            min={0}
            max={KEPT_LIMITS.words}
            step={1}
            value={turn.max_words}
            onChange={(event) => onChange({ max_words: event.target.value })}
          />
        )}
      </Field>
      <Choice
        label="Says"
        value={turn.says}
        unset="Either"
        onChoose={(says) => onChange({ says: says as TurnDraft['says'] })}
      >
        <option value="something">Something</option>
        <option value="nothing">Nothing</option>
      </Choice>
      <Choice
        label="Ends the call"
        value={turn.ends}
        unset="Either"
        onChoose={(ends) => onChange({ ends: ends as TurnDraft['ends'] })}
      >
        <option value="true">Yes</option>
        <option value="false">No</option>
      </Choice>
    </>
  );
}
