import { ORDINARY_TYPES } from '../../../domain/phone-number';
import { readContactFile } from '../../../api/campaigns/contact-file';
import {
  contactCsv,
  demoContacts,
  ENDINGS,
  freshBlock,
  isRedialledAndAnswered,
  numberIn,
  numberToTry,
} from '../../../dev/demo/contact-file';
import { scriptFor } from '../../../dev/simulator/numbers';

const BLOCK = freshBlock(new Set());
const CONTACTS = demoContacts(BLOCK);

test('the file has 60 people with a number each, none twice', () => {
  expect(new Set(CONTACTS.map(({ name }) => name)).size).toBe(60);
  expect(new Set(CONTACTS.map(({ phone }) => phone)).size).toBe(60);
});

test('every kind of number in the simulator’s table is in it but 73', () => {
  expect(ENDINGS).toEqual(
    expect.arrayContaining(Array.from({ length: 30 }, (_, i) => 70 + i).filter((e) => e !== 73)),
  );
  expect(ENDINGS).not.toContain(73);
  expect(ENDINGS.filter((ending) => ending < 70).length).toBe(31);
});

test('the contact that asks for a callback comes first, then the number whose line must be looked up: both take longest', () => {
  const [first, second] = CONTACTS.map(({ phone }) => scriptFor(phone));
  expect(first?.exception?.outcome).toMatchObject({ conversation: 'callback' });
  expect(second?.events).toBe('never_ended');
});

test('the platform takes the file whole and reads every form of number as it was meant', async () => {
  const csv = Buffer.from(contactCsv(CONTACTS));
  const result = await readContactFile({
    filename: 'contacts.csv',
    content: csv,
    rules: { allowedCountries: ['IN'], allowedNumberTypes: [...ORDINARY_TYPES] },
  });
  if (!('contacts' in result)) throw new Error(JSON.stringify(result));
  expect(result.contacts.map(({ phoneE164 }) => phoneE164)).toEqual(CONTACTS.map(({ phone }) => phone));
  expect(result.contacts.every(({ duplicateOf }) => duplicateOf === null)).toBe(true);
  expect(result.contacts[0]?.variables).toEqual({ city: CONTACTS[0]?.city });
});

describe('numbers', () => {
  test('the first run takes the first block, a later one the next that was never dialled', () => {
    const dialled = new Set([numberIn(BLOCK, 99), '+919876543210']);
    const next = freshBlock(dialled);
    expect(BLOCK.prefix).toBe('+9161000000');
    expect(next.prefix).toBe('+9161000001');
  });

  test('when all were dialled, the message names the way out', () => {
    const all = new Set(Array.from({ length: 10_000 }, (_, i) => `+916100${String(i).padStart(4, '0')}01`));
    expect(() => freshBlock(all)).toThrow(/npm run clean/);
  });

  test('the number to try is not in the file', () => {
    expect(CONTACTS.map(({ phone }) => phone)).not.toContain(numberToTry(BLOCK));
  });

  test('75 to 79 are redialled and then answered; 80 to 84 are only redialled', () => {
    const found = ENDINGS.filter((ending) => isRedialledAndAnswered(numberIn(BLOCK, ending), 3));
    expect(found).toEqual([75, 76, 77, 78, 79]);
    expect(isRedialledAndAnswered(numberIn(BLOCK, 75), 1)).toBe(false);
  });
});
