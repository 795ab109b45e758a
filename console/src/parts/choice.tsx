import type { ReactNode } from 'react';
import { Field } from './field';

interface ChoiceProps {
  label: string;
  /** Empty or undefined where nothing is chosen. */
  value: string | undefined;
  /** The words of choosing nothing. */
  unset: string;
  onChoose: (value: string) => void;
  /** The other options. */
  children: ReactNode;
}

/** A field of which one of several values, or none, is chosen. */
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

/** One that is chosen stays shown, also where it is not among the newest. */
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
