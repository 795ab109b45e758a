import { titleOf } from '../format/values';
import { Field } from '../parts/field';
import { textOfValue, type FieldOf } from './schema';

interface ConfigFieldProps {
  field: FieldOf;
  stored: unknown;
  edited: string | undefined;
  isWrong: boolean;
  onEdit: (text: string) => void;
}

const DEFAULT = 'Default';

export function ConfigField({ field, stored, edited, isWrong, onEdit }: ConfigFieldProps) {
  const value = edited ?? textOfValue(field.kind, stored);
  const isLong = field.kind === 'long text' || field.kind === 'lines' || field.kind === 'json';
  return (
    <Field
      label={titleOf(field.path.at(-1) ?? '')}
      help={helpOf(field)}
      fault={isWrong ? 'This is no JSON' : undefined}
      className={isLong ? 'wide' : ''}
    >
      {(ties) => {
        const shared = { ...ties, value };
        switch (field.kind) {
          case 'choice':
          case 'flag':
            return (
              <select {...shared} onChange={(event) => onEdit(event.target.value)}>
                <option value="">{DEFAULT}</option>
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
                placeholder={DEFAULT}
                min={field.least}
                max={field.most}
                step={field.isWhole ? 1 : 'any'}
                onChange={(event) => onEdit(event.target.value)}
              />
            );
          case 'text':
            return (
              <input {...shared} placeholder={DEFAULT} onChange={(event) => onEdit(event.target.value)} />
            );
          case 'long text':
          case 'lines':
          case 'json':
            return (
              <textarea
                {...shared}
                className={field.kind === 'json' ? 'mono' : ''}
                placeholder={DEFAULT}
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

function helpOf({ help, least, most, kind }: FieldOf): string {
  const limits =
    kind === 'number' && least !== undefined && most !== undefined ? ` ${least} to ${most}.` : '';
  const form = kind === 'lines' ? ' One in a line.' : kind === 'json' ? ' As JSON.' : '';
  return `${help.replaceAll('`', '')}${/[.!?]$/.test(help) ? '' : '.'}${limits}${form}`;
}
