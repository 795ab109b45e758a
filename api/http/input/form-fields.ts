import { describeJsonFault, isForbiddenKey } from '../../../domain/json-faults';
import { storableText } from '../../../domain/storable-text';
import type { InputFault } from '../errors/api-error';
import { invalidEncoding, invalidInput } from '../errors/refusals';

/** Of a form, however it is encoded. */
export const MAX_FIELDS = 100;

/** Parsers put this for bytes and escapes that are not valid UTF-8. A form that holds it itself was broken before it was sent. */
const REPLACEMENT = '\ufffd';

/** Throws for a name or a text of a form that was not valid text when it was sent. */
export function assertText(...texts: string[]): void {
  if (texts.some((text) => text.includes(REPLACEMENT))) throw invalidEncoding();
}

/** Each field's text. Refuses a field that is given more than once or like `a[b]`, and also in an unknown field what cannot be stored. */
export function textFields(entries: Iterable<[string, unknown]>): Record<string, string> {
  const fields: Record<string, string> = {};
  const faults: InputFault[] = [];
  for (const [name, value] of entries) {
    assertText(name, typeof value === 'string' ? value : '');
    if (isForbiddenKey(name)) {
      faults.push({ loc: ['body', name], msg: 'is not allowed as a field name', type: 'forbidden_key' });
    } else if (typeof value !== 'string' || Object.hasOwn(fields, name)) {
      faults.push({ loc: ['body', name], msg: 'must be given once, as text', type: 'string.base' });
    } else if (storableText(name + value) !== name + value) {
      const kind = 'unstorable_text';
      faults.push({ loc: ['body', name], msg: describeJsonFault({ kind }), type: kind });
    } else fields[name] = value;
  }
  if (faults.length > 0) throw invalidInput(faults);
  return fields;
}
