import { describeJsonFault, isForbiddenKey } from '../../../domain/json-faults';
import { storableText } from '../../../domain/storable-text';
import type { InputFault } from '../errors/api-error';
import { invalidEncoding, invalidInput } from '../errors/refusals';

/** Maximum number of fields in a form, in either encoding. */
export const MAX_FIELDS = 100;

/** Parsers write this character for bytes and escapes that aren't valid UTF-8. */
const REPLACEMENT = '\ufffd';

/** @throws ApiError 400 if a name or text of the form wasn't valid UTF-8 */
export function assertText(...texts: string[]): void {
  if (texts.some((text) => text.includes(REPLACEMENT))) throw invalidEncoding();
}

/** Returns the text of each field. Rejects repeated fields, names like `a[b]`, and text that can't be stored, even in unknown fields. */
export function textFields(entries: Iterable<[string, unknown]>): Record<string, string> {
  const fields: Record<string, string> = {};
  const faults: InputFault[] = [];
  for (const [name, value] of entries) {
    assertText(name, typeof value === 'string' ? value : '');
    if (isForbiddenKey(name)) {
      faults.push({ loc: ['body', name], msg: 'is not an allowed field name', type: 'forbidden_key' });
    } else if (typeof value !== 'string' || Object.hasOwn(fields, name)) {
      faults.push({ loc: ['body', name], msg: 'must be a single text value', type: 'string.base' });
    } else if (storableText(name + value) !== name + value) {
      const kind = 'unstorable_text';
      faults.push({ loc: ['body', name], msg: describeJsonFault({ kind }), type: kind });
    } else fields[name] = value;
  }
  if (faults.length > 0) throw invalidInput(faults);
  return fields;
}
