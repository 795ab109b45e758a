import type { ReactNode } from 'react';
import { Field } from './field';

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
      {(ties) => (
        <select {...ties} value={value ?? ''} onChange={(event) => onChoose(event.target.value)}>
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
