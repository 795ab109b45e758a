import { ORDINARY_TYPES } from '../../../domain/phone-number';
import { readContactFile } from '../../../api/campaigns/contact-file/read-contact-file';
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

test('has 60 contacts with different names and numbers', () => {
  expect(new Set(CONTACTS.map(({ name }) => name)).size).toBe(60);
  expect(new Set(CONTACTS.map(({ phone }) => phone)).size).toBe(60);
});

test('includes every special number of the simulator except 73', () => {
  expect(ENDINGS).toEqual(
    expect.arrayContaining(Array.from({ length: 30 }, (_, i) => 70 + i).filter((e) => e !== 73)),
  );
  expect(ENDINGS).not.toContain(73);
  expect(ENDINGS.filter((ending) => ending < 70).length).toBe(31);
});

test('puts the slowest contacts first: the callback, then the call that needs a status query', () => {
  const [first, second] = CONTACTS.map(({ phone }) => scriptFor(phone));
  expect(first?.exception?.outcome).toMatchObject({ conversation: 'callback' });
  expect(second?.events).toBe('never_ended');
});

test('is a contact file that the platform accepts, with numbers in every format', async () => {
  const csv = Buffer.from(contactCsv(CONTACTS));
  const result = await readContactFile({
    filename: 'contacts.csv',
    content: csv,
    rules: { allowedCountries: ['IN'], allowedNumberTypes: [...ORDINARY_TYPES] },
  });
  if (!('contacts' in result)) throw new Error(JSON.stringify(result));
  expect(result.contacts.map(({ phoneNumber }) => phoneNumber)).toEqual(CONTACTS.map(({ phone }) => phone));
  expect(result.contacts.every(({ duplicateOf }) => duplicateOf === null)).toBe(true);
  expect(result.contacts[0]?.variables).toEqual({ city: CONTACTS[0]?.city });
});

describe("the demo's numbers", () => {
  test('takes the first block of numbers on the first run, and an unused block later', () => {
    const dialled = new Set([numberIn(BLOCK, 99), '+919876543210']);
    const next = freshBlock(dialled);
    expect(BLOCK.prefix).toBe('+9161000000');
    expect(next.prefix).toBe('+9161000001');
  });

  test('suggests `npm run clean` when all numbers have been dialled', () => {
    const all = new Set(Array.from({ length: 10_000 }, (_, i) => `+916100${String(i).padStart(4, '0')}01`));
    expect(() => freshBlock(all)).toThrow(/npm run clean/);
  });

  test('suggests a number for the user to call that is not in the file', () => {
    expect(CONTACTS.map(({ phone }) => phone)).not.toContain(numberToTry(BLOCK));
  });

  test('selects only 75 to 79 as numbers that answer the redial', () => {
    const found = ENDINGS.filter((ending) => isRedialledAndAnswered(numberIn(BLOCK, ending), 3));
    expect(found).toEqual([75, 76, 77, 78, 79]);
    expect(isRedialledAndAnswered(numberIn(BLOCK, 75), 1)).toBe(false);
  });
});
