import { isForbiddenKey } from '../../../workflows/domain/json-faults';
import type { InputFault } from '../errors/api-error';
import { invalidInput } from '../errors/refusals';

/** Of a form, however it is encoded. */
export const MAX_FIELDS = 100;

/** Each field's text. One that is given more than once, or like `a[b]`, is refused. */
export function textFields(entries: Iterable<[string, unknown]>): Record<string, string> {
  const fields: Record<string, string> = {};
  const faults: InputFault[] = [];
  for (const [name, value] of entries) {
    if (isForbiddenKey(name)) {
      faults.push({ loc: ['body', name], msg: 'is not allowed as a field name', type: 'forbidden_key' });
    } else if (typeof value !== 'string' || Object.hasOwn(fields, name)) {
      faults.push({ loc: ['body', name], msg: 'must be given once, as text', type: 'string.base' });
    } else fields[name] = value;
  }
  if (faults.length > 0) throw invalidInput(faults);
  return fields;
}
