import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from '../../dev/remove-folder';
import { isOnDndList } from '../../db/calls/do-not-disturb';
import { AdminConsole, type Ran } from './support/admin-console';

let admin: AdminConsole;
let folder: string;
let org: { id: string; name: string };

beforeAll(async () => {
  admin = await AdminConsole.open();
  folder = await mkdtemp(join(tmpdir(), 'dnd-test-'));
});
beforeEach(async () => {
  org = await admin.org();
});
afterAll(async () => {
  await admin.close();
  await removeFolder(folder);
});

const listed = (number: string) => isOnDndList(admin.db, org.id, number);
const count = async () => (await admin.json(`dnd count --org ${org.id}`)).count;
const actions = async () => (await admin.audit(org.id)).map(({ action }) => action);

async function importing(content: string | Buffer, options = ''): Promise<Ran> {
  const path = join(folder, 'numbers');
  await writeFile(path, content);
  return admin.run(['dnd', 'import', '--org', org.id, path, '--json', ...options.split(' ').filter(Boolean)]);
}

describe('a number on the do-not-disturb list', () => {
  test.each(['+919876543210', '919876543210', '09876543210', '98765 43210'])(
    'recognizes a listed number written as %s',
    async (form) => {
      await admin.run(['dnd', 'add', form, '--org', org.id]);
      expect(await listed('+919876543210')).toBe(true);
      expect((await admin.json(['dnd', 'check', form, '--org', org.id])).on_list).toBe(true);
      await admin.run(['dnd', 'remove', form, '--org', org.id]);
      expect(await listed('+919876543210')).toBe(false);
    },
  );

  test('lists a number for one organization only', async () => {
    await admin.run(`dnd add 9876543210 --org ${org.id}`);
    const other = await admin.org();
    expect((await admin.json(`dnd check 9876543210 --org ${other.id}`)).on_list).toBe(false);
  });

  test("keeps the source and time of a number's first addition when it is added again", async () => {
    const add = (source: string) => admin.json(`dnd add 9876543210 --org ${org.id} --source ${source}`);
    expect((await add('e-mail')).changed).toBe(true);
    const first = await admin.json(`dnd check 9876543210 --org ${org.id}`);
    expect(first).toMatchObject({ source: 'e-mail', added_at: new Date(admin.clock.now()).toISOString() });
    admin.clock.time += 1000;
    expect((await add('letter')).changed).toBe(false);
    expect(await admin.json(`dnd check 9876543210 --org ${org.id}`)).toEqual(first);
    expect(await actions()).toEqual(['org.create', 'dnd.add']);
  });

  test('accepts a number from another country', async () => {
    await admin.run(`dnd add +14155552671 --org ${org.id}`);
    expect(await listed('+14155552671')).toBe(true);
  });

  test('rejects a malformed number without repeating it', async () => {
    const { status, err } = await admin.run(`dnd add 98765 --org ${org.id}`);
    expect(status).toBe(1);
    expect(err).toMatch(/^The number must be a ten-digit/);
    expect(err).not.toContain('98765');
  });
});

describe('dnd list', () => {
  test('lists the newest numbers first, and masks them without --full', async () => {
    await admin.run(`dnd add 9876543210 --org ${org.id}`);
    admin.clock.time += 1000;
    await admin.run(`dnd add 9876543211 --org ${org.id}`);
    const { out } = await admin.run(`dnd list --org ${org.id}`);
    expect(out.split('\n').map((line) => line.split(/ {2,}/)[0])).toEqual([
      'number',
      '+91********11',
      '+91********10',
    ]);
    const { out: full } = await admin.run(`dnd list --org ${org.id} --full --limit 1`);
    expect(full).toContain('+919876543211');
    expect(full).not.toContain('+919876543210');
  });

  test('asks for confirmation with the count of numbers before it empties the list', async () => {
    await importing('9876543210\n9876543211\n');
    await admin.run(`dnd clear --org ${org.id}`, { answers: ['no'] });
    expect(admin.questions[0]).toContain(`All 2 numbers of ${org.name}`);
    expect(await count()).toBe(2);
    const { out } = await admin.run(`dnd clear --org ${org.id} --yes`);
    expect(out).toBe('Removed 2 numbers from the list.');
    expect(await count()).toBe(0);
    expect(await actions()).toEqual(['org.create', 'dnd.import', 'dnd.clear']);
  });
});

describe('dnd import', () => {
  test('reads one number per line in any format, and counts duplicates', async () => {
    await admin.run(`dnd add 9876543211 --org ${org.id}`);
    const { json, status } = await importing('9876543210\n\n+919876543211\r\n09876543210\n919876543212');
    expect([status, json]).toEqual([0, { added: 2, already_listed: 1, duplicates: 1, skipped: 0 }]);
    expect(await count()).toBe(3);
  });

  test('imports nothing if a row is invalid, and lists invalid rows without their phone numbers', async () => {
    const { status, out, err } = await importing('name,phone\nAsha,9876543210\nRavi,12345\nMeera,\n');
    expect([status, out]).toEqual([1, '']);
    expect(err.split('\n')).toEqual([
      'Row 3 must be a ten-digit Indian number, or start with + and a country code',
      'Row 4 is empty',
      'Nothing was imported. Correct these rows, or skip them with --skip-bad',
    ]);
    expect([await count(), await actions()]).toEqual([0, ['org.create']]);
  });

  test('skips invalid rows with --skip-bad', async () => {
    const { json } = await importing('name,phone\nAsha,9876543210\nRavi,12345\n', '--skip-bad');
    expect(json).toEqual({ added: 1, already_listed: 0, duplicates: 0, skipped: 1 });
  });

  test('lists the first twenty invalid rows and counts the others', async () => {
    const { err } = await importing(Array.from({ length: 1030 }, () => '12345').join('\n'));
    expect(err.split('\n')).toHaveLength(22);
    expect(err).toContain('1,010 more rows are invalid');
  });

  test('reads the column given by --column, and stores --source', async () => {
    const { json } = await importing('who;Tel\nAsha;9876543210\n', '--column Tel --source registry');
    expect(json.added).toBe(1);
    expect(await admin.json(`dnd check 9876543210 --org ${org.id}`)).toMatchObject({ source: 'registry' });
  });

  test.each([
    ['without content', '', 'The file contains no numbers'],
    ['without a column of numbers', 'a,b\n1,2\n', 'No column is named phone_number'],
    ['that is not UTF-8', Buffer.from([0x39, 0xff, 0xfe]), 'is not encoded in UTF-8'],
  ])('rejects a file %s', async (_title, content, message) => {
    const { status, err } = await importing(content);
    expect([status, err]).toEqual([1, expect.stringContaining(message)]);
    expect(await count()).toBe(0);
  });

  test('reads standard input if the file is -', async () => {
    const input = 'phone\n9876543210\n';
    expect(await admin.json(['dnd', 'import', '--org', org.id, '-'], { input })).toMatchObject({ added: 1 });
    expect(await listed('+919876543210')).toBe(true);
  });

  test.each([
    ['nowhere.csv', 'There is no file'],
    ['.', 'is a folder'],
  ])('prints a clear error message for %s', async (name, message) => {
    const { status, err } = await admin.run(['dnd', 'import', '--org', org.id, join(folder, name)]);
    expect([status, err]).toEqual([1, expect.stringContaining(message)]);
  });

  test('writes 100,000 numbers in one transaction, and reports progress on standard error', async () => {
    const numbers = Array.from({ length: 100_000 }, (_, n) => String(9_000_000_000 + n));
    const { json, err } = await importing(numbers.join('\n'));
    expect(json).toEqual({ added: 100_000, already_listed: 0, duplicates: 0, skipped: 0 });
    expect(err.split('\n')).toHaveLength(10);
    expect(err).toContain('100,000 of 100,000 numbers written');
    const [{ transactions }] = (
      await admin.db.raw(
        'select count(distinct xmin::text) as transactions from dnd_numbers where organization_id = ?',
        [org.id],
      )
    ).rows;
    expect(transactions).toBe(1);
    expect(await actions()).toEqual(['org.create', 'dnd.import']);
  }, 60_000);
});
