import { onlyKey } from '../../db/kernel/secrets-keys';
import { activeSecrets } from '../../db/webhooks/signing-secrets';
import { AdminConsole } from './support/admin-console';

const HOUR_MS = 3_600_000;
let admin: AdminConsole;
let org: { id: string; name: string };

beforeAll(async () => {
  admin = await AdminConsole.open();
});
beforeEach(async () => {
  org = await admin.org();
});
afterAll(() => admin.close());

const signing = (inMs = 0) => activeSecrets(admin.db, org.id, admin.secretsKeys, admin.clock.now() + inMs);
const create = () => admin.json(`secret create --org ${org.id}`);

test('shows a secret once, stores it encrypted and never lists it', async () => {
  const { id, secret } = await create();
  expect(secret).toMatch(/^whsec_/);
  expect(Buffer.from(secret.slice('whsec_'.length), 'base64')).toHaveLength(32);
  const [row] = await admin.db('signing_secrets').where({ id });
  expect(row.secret_encrypted.toString('latin1')).not.toContain('whsec_');
  const { out } = await admin.run(`secret list --org ${org.id}`);
  expect(out.split('\n')[1]?.split(/ {2,}/)).toEqual([id, expect.stringMatching(/Z$/), '-', 'valid']);
});

test("encrypts a secret, so that another key can't decrypt it", async () => {
  await create();
  await expect(
    activeSecrets(admin.db, org.id, onlyKey(Buffer.alloc(32)), admin.clock.now()),
  ).rejects.toThrow();
});

test('allows two valid secrets at a time, but not three', async () => {
  const made = [await create(), await create()];
  expect([...(await signing())].sort()).toEqual(made.map(({ secret }) => secret).sort());
  const { status, out, err } = await admin.run(`secret create --org ${org.id}`);
  expect([status, out]).toEqual([1, '']);
  expect(err).toBe('Two secrets are already valid. Revoke one with "secret revoke"');
  expect(await signing()).toHaveLength(2);
});

test('signs with both secrets for a day after a rotation, then only with the new one', async () => {
  const old = await create();
  const rotated = await admin.json(`secret rotate --org ${org.id}`);
  expect([...(await signing(24 * HOUR_MS - 1))].sort()).toEqual([old.secret, rotated.secret].sort());
  expect(await signing(24 * HOUR_MS)).toEqual([rotated.secret]);
  expect(rotated.old_expire_at).toBe(new Date(admin.clock.now() + 24 * HOUR_MS).toISOString());
});

test('refuses a second rotation during the first unless the overlap is 0', async () => {
  await create();
  await admin.json(`secret rotate --org ${org.id} --overlap 2h`);
  const { status, err } = await admin.run(`secret rotate --org ${org.id}`);
  expect(status).toBe(1);
  expect(err).toContain(`wait until ${new Date(admin.clock.now() + 2 * HOUR_MS).toISOString()}`);
  const last = await admin.json(`secret rotate --org ${org.id} --overlap 0 --yes`);
  expect(await signing()).toEqual([last.secret]);
});

test("doesn't extend a secret that expires sooner than the overlap", async () => {
  const old = await create();
  await admin
    .db('signing_secrets')
    .where({ id: old.id })
    .update({ expires_at: new Date(admin.clock.now() + HOUR_MS) });
  const { secret } = await admin.json(`secret rotate --org ${org.id}`);
  expect(await signing(HOUR_MS)).toEqual([secret]);
});

test('creates the first secret when an organization without one rotates', async () => {
  const { secret } = await admin.json(`secret rotate --org ${org.id}`);
  expect(await signing()).toEqual([secret]);
});

test('asks for confirmation when the overlap is 0', async () => {
  const old = await create();
  const refused = await admin.run(`secret rotate --org ${org.id} --overlap 0`);
  expect([refused.status, refused.out]).toEqual([1, '']);
  expect(await signing()).toEqual([old.secret]);
});

test('stops signing with a revoked secret, and warns when none remains', async () => {
  const [first, last] = [await create(), await create()];
  await admin.run(`secret revoke ${first.id}`, { answers: ['y'] });
  expect(admin.questions[0]).not.toContain('no longer be signed');
  expect(await signing()).toEqual([last.secret]);
  await admin.run(`secret revoke ${last.id}`, { answers: ['y'] });
  expect(admin.questions[0]).toContain('Webhooks will no longer be signed');
  expect(await signing()).toEqual([]);
  expect((await admin.run(`secret revoke ${last.id}`)).out).toBe('The secret had already expired.');
  expect((await admin.run(`secret list --org ${org.id}`)).out).toMatch(/expired\n.*expired$/);
});

test('records each change of a secret once', async () => {
  const { id } = await create();
  await admin.json(`secret rotate --org ${org.id} --overlap 1h`);
  await admin.run(`secret revoke ${id} --yes`);
  await admin.run(`secret revoke ${id} --yes`);
  await admin.run(`secret revoke nothing --yes`);
  expect((await admin.audit(org.id)).map(({ action }) => action)).toEqual([
    'org.create',
    'secret.create',
    'secret.rotate',
    'secret.revoke',
  ]);
});
