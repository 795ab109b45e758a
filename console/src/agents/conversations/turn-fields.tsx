import { KEPT_LIMITS } from '../../../../domain/kept-conversation-limits';
import { Choice, Field } from '../../parts/field';
import type { TurnDraft } from './draft';

interface TurnFieldsProps {
  /** Turn number, starting at 1. */
  number: number;
  turn: TurnDraft;
  onChange: (changes: Partial<TurnDraft>) => void;
  onRemove?: () => void;
}

const LISTS = [
  ['contains', 'Must say all of'],
  ['contains_any', 'Must say one of'],
  ['not_contains', 'Must say none of'],
] as const;

export function TurnFields({ number, turn, onChange, onRemove }: TurnFieldsProps) {
  return (
    <fieldset className="turn">
      <legend>Turn {number}</legend>
      <Field
        label="The person types"
        help={number === 1 ? 'Leave this empty if the agent speaks first.' : undefined}
        className="wide"
      >
        {(inputProps) => (
          <textarea
            {...inputProps}
            rows={1}
            required={number > 1}
            maxLength={KEPT_LIMITS.typed}
            value={turn.user}
            onChange={(event) => onChange({ user: event.target.value })}
          />
        )}
      </Field>
      <div className="grid">
        {LISTS.map(([name, label]) => (
          <Field key={name} label={label} help="One per line. Case doesn’t matter.">
            {(inputProps) => (
              <textarea
                {...inputProps}
                rows={2}
                value={turn[name]}
                onChange={(event) => onChange({ [name]: event.target.value })}
              />
            )}
          </Field>
        ))}
        <Conditions turn={turn} onChange={onChange} />
      </div>
      {onRemove !== undefined && (
        <button type="button" className="button plain" onClick={onRemove}>
          Remove turn {number}
        </button>
      )}
    </fieldset>
  );
}

function Conditions({ turn, onChange }: Pick<TurnFieldsProps, 'turn' | 'onChange'>) {
  return (
    <>
      <Field label="Maximum words">
        {(inputProps) => (
          <input
            {...inputProps}
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
        label="Says something"
        value={turn.says}
        unset="Either"
        onChoose={(says) => onChange({ says: says as TurnDraft['says'] })}
      >
        <option value="something">Yes</option>
        <option value="nothing">No</option>
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
