import { useId, type ReactNode } from 'react';

interface FieldProps {
  label: string;
  help?: ReactNode;
  fault?: string | undefined;
  className?: string;
  /** Renders the input with attributes that link it to its label, help text and error message. */
  children: (inputProps: {
    id: string;
    'aria-describedby': string | undefined;
    'aria-invalid': boolean;
  }) => ReactNode;
}

export function Field({ label, help, fault, className = '', children }: FieldProps) {
  const id = useId();
  const described = [help !== undefined && `${id}-help`, fault !== undefined && `${id}-fault`].filter(
    Boolean,
  );
  return (
    <div className={`field ${className}`}>
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        'aria-describedby': described.length === 0 ? undefined : described.join(' '),
        'aria-invalid': fault !== undefined,
      })}
      {help !== undefined && (
        <span className="help" id={`${id}-help`}>
          {help}
        </span>
      )}
      {fault !== undefined && (
        <span className="fault" id={`${id}-fault`} role="alert">
          {fault}
        </span>
      )}
    </div>
  );
}

interface ChoiceProps {
  label: string;
  /** Empty or undefined if nothing is chosen. */
  value: string | undefined;
  /** Label of the empty option. */
  unset: string;
  onChoose: (value: string) => void;
  children: ReactNode;
}

/** A select field with an empty option. */
export function Choice({ label, value, unset, onChoose, children }: ChoiceProps) {
  return (
    <Field label={label}>
      {(inputProps) => (
        <select {...inputProps} value={value ?? ''} onChange={(event) => onChoose(event.target.value)}>
          <option value="">{unset}</option>
          {children}
        </select>
      )}
    </Field>
  );
}

/** Adds the chosen option if it's missing, because the list has only the newest ones. */
export function optionsWith(
  choices: readonly (readonly [id: string, name: string])[],
  chosen: string | undefined,
) {
  const isListed = chosen === undefined || choices.some(([id]) => id === chosen);
  return (isListed ? choices : [[chosen, chosen] as const, ...choices]).map(([id, name]) => (
    <option key={id} value={id}>
      {name}
    </option>
  ));
}

interface DayProps {
  label: string;
  /** Empty or undefined if no day is chosen. */
  value: string | undefined;
  onChoose: (value: string) => void;
}

export function Day({ label, value, onChoose }: DayProps) {
  return (
    <Field label={label}>
      {(inputProps) => (
        <input
          {...inputProps}
          type="date"
          value={value ?? ''}
          onChange={(event) => onChoose(event.target.value)}
        />
      )}
    </Field>
  );
}
