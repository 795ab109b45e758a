import { titleOf } from '../format/values';
import { Field } from '../parts/field';
import { limitsOf } from './limits';
import { textOfValue, type FieldOf } from './schema';

interface ConfigFieldProps {
  field: FieldOf;
  stored: unknown;
  edited: string | undefined;
  fault: string | null;
  onEdit: (text: string) => void;
}

export function ConfigField({ field, stored, edited, fault, onEdit }: ConfigFieldProps) {
  const value = edited ?? textOfValue(field.kind, stored);
  const isLong = field.kind === 'long text' || field.kind === 'lines' || field.kind === 'json';
  return (
    <Field
      label={titleOf(field.path.at(-1) ?? '')}
      help={helpOf(field)}
      fault={fault ?? undefined}
      className={isLong ? 'wide' : ''}
    >
      {(inputProps) => {
        const shared = { ...inputProps, value };
        const placeholder = field.unset ?? 'Not set';
        switch (field.kind) {
          case 'choice':
          case 'flag':
            return (
              <select {...shared} onChange={(event) => onEdit(event.target.value)}>
                <option value="">{defaultOf(field)}</option>
                {choicesOf(field).map(([choice, words]) => (
                  <option key={choice} value={choice}>
                    {words}
                  </option>
                ))}
              </select>
            );
          case 'number':
            return (
              <input
                {...shared}
                type="number"
                placeholder={placeholder}
                min={field.min}
                max={field.max}
                step={field.isWhole ? 1 : 'any'}
                onChange={(event) => onEdit(event.target.value)}
              />
            );
          case 'text':
            return (
              <input {...shared} placeholder={placeholder} onChange={(event) => onEdit(event.target.value)} />
            );
          case 'long text':
          case 'lines':
          case 'json':
            return (
              <textarea
                {...shared}
                className={field.kind === 'json' ? 'mono' : ''}
                placeholder={placeholder}
                rows={2}
                onChange={(event) => onEdit(event.target.value)}
              />
            );
        }
      }}
    </Field>
  );
}

const choicesOf = ({ kind, choices }: FieldOf): [choice: string, words: string][] =>
  kind === 'flag'
    ? [
        ['true', 'Yes'],
        ['false', 'No'],
      ]
    : choices.map((choice) => [choice, titleOf(choice)]);

function defaultOf(field: FieldOf): string {
  const found = choicesOf(field).find(([choice]) => choice === field.unset);
  return found === undefined ? 'Default' : `Default (${found[1]})`;
}

function helpOf(field: FieldOf): string {
  const { help, kind } = field;
  const form = kind === 'lines' ? ['One per line.'] : kind === 'json' ? ['Enter JSON.'] : [];
  const meaning = `${help.replaceAll('`', '')}${/[.!?]$/.test(help) ? '' : '.'}`;
  return [meaning, ...limitsOf(field), ...form].join(' ');
}
