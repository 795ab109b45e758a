import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { HISTORIES, HISTORY_FILES, storedHistory, VERSIONS } from './support/stored-histories';

const MAX_BYTES = 1_500_000;

/** Ids are random and also contain digits. */
const IDS = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|(out|in)bound-\d+-\w+/g;
/** Matches a number in any notation that a contact file allows. */
const PHONE_NUMBER = /\+\d{7,}|(?<!\d)(91|0)?[6-9]\d{9}(?!\d)/g;
/** Names that the recorder gives to organizations, agents, campaigns and contacts, and words that its agent says. */
const NAMES = /A client|An agent|A campaign|Contact \d|A contact|Asha|Tulsi|Namaste/g;
const EMAIL_ADDRESS = /[\w.+-]+@[\w-]+\.[a-z]{2,}/gi;
/** Traces of the machine that recorded the history. */
const MACHINE = /\/(tmp|home|root|work|Users|private|opt)\b|\d+@[\w.-]+/g;

/** Returns every string in a value, with payloads decoded. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'data' && typeof inner === 'string' && 'metadata' in value
      ? [Buffer.from(inner, 'base64').toString('utf8')]
      : [key, ...textsOf(inner)],
  );
}

const found = (texts: string[], what: RegExp): string[] =>
  texts.flatMap((text) => text.replace(IDS, '').match(what) ?? []);

describe('a stored history', () => {
  const texts = HISTORY_FILES.map((name) => ({ name, texts: textsOf(storedHistory(name).history) }));
  const namesWith = (what: RegExp) =>
    texts.flatMap((each) => found(each.texts, what).map((hit) => [each.name, hit]));

  test('contains no phone number', () => expect(namesWith(PHONE_NUMBER)).toEqual([]));
  test('contains no e-mail address', () => expect(namesWith(EMAIL_ADDRESS)).toEqual([]));
  test('contains no name and no spoken word', () => expect(namesWith(NAMES)).toEqual([]));
  test('contains no trace of the machine that recorded it', () => expect(namesWith(MACHINE)).toEqual([]));

  test('is rejected if it has personal data or traces of a machine, even inside a payload', () => {
    const hidden = (text: string) => textsOf({ data: Buffer.from(text).toString('base64'), metadata: {} });
    for (const text of ['"+916100000101"', '"to":"916100000101"', '06100000101', '6100000101']) {
      expect(found(hidden(text), PHONE_NUMBER)).toHaveLength(1);
    }
    expect(found(hidden('{"name":"Contact 7"}'), NAMES)).toHaveLength(1);
    expect(found(hidden('"to":"somebody@example.com"'), EMAIL_ADDRESS)).toHaveLength(1);
    expect(found(hidden('thrown in /tmp/worker.js by 12@host'), MACHINE)).toHaveLength(2);
    expect(found(hidden('"outbound-1789000000-6100000101ab" at 1789000000000'), PHONE_NUMBER)).toEqual([]);
  });

  test.each(VERSIONS)('stays small: all histories of %s take less than 1.5 MB', (version) => {
    const folder = join(HISTORIES, version);
    const bytes = readdirSync(folder).reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
    expect(bytes).toBeLessThan(MAX_BYTES);
  });
});
