import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from '../../dev/remove-folder';
import { AdminConsole } from './support/admin-console';

let admin: AdminConsole;
let folder: string;
let org: { id: string; name: string };

beforeAll(async () => {
  admin = await AdminConsole.open();
  folder = await mkdtemp(join(tmpdir(), 'number-test-'));
});
beforeEach(async () => {
  await admin.db('registered_numbers').delete();
  org = await admin.org();
});
afterAll(async () => {
  await admin.close();
  await removeFolder(folder);
});

const listed = async (of = org.id) =>
  (await admin.json(`number list --org ${of}`)).map(({ number }: { number: string }) => number);
const actions = async () => (await admin.audit(org.id)).map(({ action }) => action);

describe('a registered number', () => {
  test.each(['+912250001234', '02250001234', ' +91 22 5000 1234 '])(
    'stores a number in a single notation when given as %j',
    async (form) => {
      await admin.run(['number', 'add', form, '--org', org.id]);
      expect(await listed()).toEqual(['+912250001234']);
    },
  );

  test.each(['+911401234567', '+911600123456'])(
    'registers %s, a number in a special series',
    async (number) => {
      expect(await admin.json(`number add ${number} --org ${org.id}`)).toEqual({
        number,
        registered: true,
        changed: true,
      });
    },
  );

  test('adds and removes a number once, with one audit entry each', async () => {
    const add = () => admin.json(`number add +912250001234 --org ${org.id}`);
    const remove = () => admin.json(`number remove +912250001234 --org ${org.id}`);
    expect([(await add()).changed, (await add()).changed]).toEqual([true, false]);
    expect([(await remove()).changed, (await remove()).changed]).toEqual([true, false]);
    expect(await listed()).toEqual([]);
    expect(await actions()).toEqual(['org.create', 'number.add', 'number.remove']);
  });

  test("rejects adding or removing another organization's number", async () => {
    const other = await admin.org();
    await admin.run(`number add +912250001234 --org ${other.id}`);
    const { status, err } = await admin.run(`number add +912250001234 --org ${org.id}`);
    expect([status, err]).toEqual([
      1,
      'Nothing was changed, because another organization already has +912250001234',
    ]);
    expect((await admin.json(`number remove +912250001234 --org ${org.id}`)).changed).toBe(false);
    expect(await listed(other.id)).toEqual(['+912250001234']);
    expect(await actions()).toEqual(['org.create']);
  });

  test('rejects a malformed number', async () => {
    const { status, err } = await admin.run(`number add 22500 --org ${org.id}`);
    expect([status, err]).toEqual([
      1,
      expect.stringMatching(/^The number must be a ten-digit Indian number/),
    ]);
  });

  test('lists numbers with their organization when --org is missing', async () => {
    await admin.run(`number add +912250001234 --org ${org.id}`);
    const { out } = await admin.run('number list');
    expect(out).toMatch(/\+912250001234 +/);
    expect(out).toContain(org.name);
  });
});

describe('a file of numbers', () => {
  const importing = async (content: string, ...options: string[]) => {
    const path = join(folder, 'numbers');
    await writeFile(path, content);
    return admin.run(['number', 'import', '--org', org.id, path, '--json', ...options]);
  };

  test('registers all numbers of a file with one audit entry', async () => {
    const { status, json } = await importing('number\n+912250001234\n02250001235\n+912250001234\n');
    expect([status, json]).toEqual([0, { added: 2, already_registered: 0, duplicates: 1, skipped: 0 }]);
    expect(await listed()).toEqual(['+912250001234', '+912250001235']);
    expect(await actions()).toEqual(['org.create', 'number.import']);
  });

  test.each([
    ['a row without a number', '+912250001234\n12\n', 'Row 2'],
    ['a number of another organization', '+912250001234\n+912250009999\n', '+912250009999'],
  ])('rejects the whole file with %s', async (_what, content, named) => {
    const other = await admin.org();
    await admin.run(`number add +912250009999 --org ${other.id}`);
    const { status, err } = await importing(content);
    expect(status).toBe(1);
    expect(err).toContain(named);
    expect(await listed()).toEqual([]);
  });
});
