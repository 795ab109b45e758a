import { useSignInToken } from '../../db/organizations/console-tokens';
import { AdminConsole } from './support/admin-console';

let admin: AdminConsole;
let org: { id: string; name: string };

beforeAll(async () => {
  admin = await AdminConsole.open();
});
beforeEach(async () => {
  org = await admin.org();
});
afterAll(() => admin.close());

const holderOf = (path: string) =>
  useSignInToken(admin.db, path.split('#sign-in=')[1] ?? '', admin.clock.now());

test('creates a link that signs a person in once, with a key that has all scopes', async () => {
  const {
    path,
    key_id: keyId,
    expires_at: expiresAt,
  } = await admin.json(`console link --org ${org.id} --for Asha`);
  expect(path).toMatch(/^\/console\/#sign-in=[\w-]{11}\.[\w-]{43}$/);
  expect(Date.parse(expiresAt)).toBe(admin.clock.now() + 600_000);
  expect(await holderOf(path)).toMatchObject({ id: org.id, keyId, keyName: 'console: Asha', scopes: null });
  expect(await holderOf(path)).toBeUndefined();
  expect((await admin.json(`console link --org ${org.id} --for Asha`)).key_id).toBe(keyId);
});

test('creates a link for an existing key that is given by its first characters', async () => {
  const { id, key } = await admin.json(`key create --org ${org.id} --scopes read`);
  const { path } = await admin.json(`console link --org ${org.id} --key ${key.slice(0, 12)}`);
  expect(await holderOf(path)).toMatchObject({ keyId: id, scopes: ['read'] });
});

test('refuses a link for a key of another organization', async () => {
  const other = await admin.org();
  const { id } = await admin.json(`key create --org ${other.id}`);
  const { status, err } = await admin.run(`console link --org ${org.id} --key ${id}`);
  expect([status, err]).toEqual([1, expect.stringContaining('There is no such key')]);
});

test('records the operator but not the token in the audit log', async () => {
  const { path, key_id: keyId } = await admin.json(`console link --org ${org.id} --for Ravi --as Asha`);
  expect(await admin.audit(org.id)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ action: 'console.link', actor_id: 'Asha', subject_id: keyId }),
    ]),
  );
  const { out } = await admin.run(`audit list --org ${org.id} --json`);
  expect(out).not.toContain(path.split('=')[1]);
});

test.each(['', ' --for Asha --key vap_Xx1yZ2w3'])(
  'rejects "%s", because a link is for either a person or a key',
  async (options) => {
    const { status, err } = await admin.run(`console link --org ${org.id}${options}`);
    expect([status, err]).toEqual([1, expect.stringContaining('either --for or --key')]);
  },
);
