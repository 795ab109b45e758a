import { Field } from './field';

interface DayProps {
  label: string;
  /** Empty or undefined if no day is chosen. */
  value: string | undefined;
  onChoose: (value: string) => void;
}

export function Day({ label, value, onChoose }: DayProps) {
  return (
    <Field label={label}>
      {(ties) => (
        <input {...ties} type="date" value={value ?? ''} onChange={(event) => onChoose(event.target.value)} />
      )}
    </Field>
  );
}
