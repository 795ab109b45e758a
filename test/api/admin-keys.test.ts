import { organizationOfKey } from '../../db/organizations/api-keys';
import { AdminConsole } from './support/admin-console';
import { onlyKey } from '../../db/kernel/secrets-keys';
import { activeSecrets } from '../../db/webhooks/signing-secrets';
import { useSignInToken } from '../../db/organizations/console-tokens';

const DAY_MS = 86_400_000;
let admin: AdminConsole;
let org: { id: string; name: string };

beforeAll(async () => {
  admin = await AdminConsole.open();
});
beforeEach(async () => {
  org = await admin.org();
});
afterAll(() => admin.close());

const opens = async (key: string, inMs = 0) =>
  (await organizationOfKey(admin.db, key, admin.clock.now() + inMs))?.id === org.id;
const states = async (): Promise<string[]> =>
  (await admin.json(`key list --org ${org.id}`)).map(({ state }: any) => state);

test('lists the label and the first twelve characters of a key, never the whole key', async () => {
  const { id, key } = await admin.json(['key', 'create', '--org', org.id, '--name', 'billing system']);
  const list = await admin.run(`key list --org ${org.id}`);
  const [head = '', row = ''] = list.out.split('\n');
  expect(head.split(/ {2,}/)).toEqual([
    'id',
    'label',
    'prefix',
    'scopes',
    'created by',
    'created',
    'last used',
    'expires',
    'revoked',
    'state',
  ]);
  expect(row.split(/ {2,}/)).toEqual([
    id,
    'billing system',
    key.slice(0, 12),
    'all',
    '-',
    expect.stringMatching(/Z$/),
    '-',
    '-',
    '-',
    'valid',
  ]);
  const json = await admin.run(`key list --org ${org.id} --json`);
  const audit = await admin.run(`audit list --org ${org.id} --json`);
  expect(list.out + json.out + audit.out).not.toContain(key.slice(0, 13));
});

test('lists the keys of all organizations with their owners if --org is missing', async () => {
  await admin.json(`key create --org ${org.id}`);
  const other = await admin.org();
  await admin.json(`key create --org ${other.id}`);
  const { out } = await admin.run('key list');
  expect(out).toContain(org.name);
  expect(out).toContain(other.name);
});

test('creates a key with the given scopes and lists them', async () => {
  const { key } = await admin.json(`key create --org ${org.id} --scopes operate,read`);
  expect((await organizationOfKey(admin.db, key, admin.clock.now()))?.scopes).toEqual(['read', 'operate']);
  const [listed] = await admin.json(`key list --org ${org.id}`);
  expect(listed.scopes).toEqual(['read', 'operate']);
  expect((await admin.run(`key list --org ${org.id}`)).out).toContain('read,operate');
});

test.each(['', 'all', 'read,write', 'READ', 'read,'])(
  'rejects a new key with the scopes "%s"',
  async (scopes) => {
    const { status, err } = await admin.run(['key', 'create', '--org', org.id, '--scopes', scopes]);
    expect([status, err]).toEqual([
      1,
      expect.stringContaining('must be one or more of read,operate,configure'),
    ]);
    expect(await states()).toEqual([]);
  },
);

test('creates a key that works until it expires', async () => {
  const { key } = await admin.json(`key create --org ${org.id} --expires 7d`);
  expect([await opens(key, 7 * DAY_MS - 1), await opens(key, 7 * DAY_MS)]).toEqual([true, false]);
  const dated = await admin.json(`key create --org ${org.id} --expires 2026-12-31`);
  const last = Date.parse('2026-12-31T00:00:00Z') - admin.clock.now();
  expect([await opens(dated.key, last - 1), await opens(dated.key, last)]).toEqual([true, false]);
});

test.each(['0', '2020-01-01'])('rejects the expiry %s, which has passed', async (when) => {
  const { status, err } = await admin.run(`key create --org ${org.id} --expires ${when}`);
  expect([status, err]).toEqual([1, expect.stringContaining('--expires must be in the future')]);
  expect(await states()).toEqual([]);
});

test('revokes a key, after which requests with it fail and revoking it again changes nothing', async () => {
  const { id, key } = await admin.json(`key create --org ${org.id}`);
  const kept = await admin.json(`key create --org ${org.id}`);
  expect((await admin.run(`key revoke ${id} --yes`)).out).toMatch(/^Key vap_.* is revoked\.$/);
  expect([await opens(key), await opens(kept.key)]).toEqual([false, true]);
  expect((await states()).sort()).toEqual(['revoked', 'valid']);
  const [first] = await admin.db('api_keys').where({ id });
  admin.clock.time += DAY_MS;
  const again = await admin.run(`key revoke ${id}`);
  expect([again.status, again.out]).toEqual([0, expect.stringContaining('was already revoked')]);
  expect(await admin.db('api_keys').where({ id })).toEqual([first]);
  expect((await admin.audit(org.id)).filter(({ action }) => action === 'key.revoke')).toHaveLength(1);
});

test('finds a key by its first characters or by the whole key', async () => {
  const { key } = await admin.json(`key create --org ${org.id}`);
  const other = await admin.json(`key create --org ${org.id}`);
  await admin.run(`key revoke ${key.slice(0, 12)} --yes`);
  const pasted = await admin.run(`key revoke ${other.key} --yes`);
  expect([await opens(key), await opens(other.key)]).toEqual([false, false]);
  expect(pasted.out + pasted.err).not.toContain(other.key.slice(0, 13));
});

test.each(['vap_', 'vap_nobodyhas', '%', '0d1f7c1e-6a57-4c52-8f0b-3d1c7e0f9a11'])(
  'reports that %s is not a key',
  async (given) => {
    await admin.json(`key create --org ${org.id}`);
    const { status, err } = await admin.run(`key revoke ${given} --yes`);
    expect([status, err]).toEqual([1, 'There is no such key. See "key list"']);
    expect(await states()).toEqual(['valid']);
  },
);

test('requires the id when two keys start with the same characters', async () => {
  const { id, key } = await admin.json(`key create --org ${org.id}`);
  const twin = await admin.json(`key create --org ${org.id}`);
  await admin
    .db('api_keys')
    .where({ id: twin.id })
    .update({ prefix: key.slice(0, 12) });
  const { status, err } = await admin.run(`key revoke ${key} --yes`);
  expect([status, err]).toEqual([1, 'Several keys begin with these characters. Use the id from "key list"']);
  await admin.run(`key revoke ${id.toUpperCase()} --yes`);
  expect([await opens(key), await opens(twin.key)]).toEqual([false, true]);
});

test('sets, moves and removes an expiry, but never revives a revoked key', async () => {
  const { id, key } = await admin.json(`key create --org ${org.id}`);
  expect((await admin.json(`key expire ${id} --in 24h`)).expires_at).toBe(
    new Date(admin.clock.now() + DAY_MS).toISOString(),
  );
  expect(await opens(key, DAY_MS)).toBe(false);
  await admin.json(`key expire ${id} --at 2027-01-01T00:00:00Z`);
  expect(await opens(key, DAY_MS)).toBe(true);
  expect((await admin.json(`key expire ${id} --never`)).expires_at).toBeNull();
  expect(await opens(key, 3650 * DAY_MS)).toBe(true);
  await admin.run(`key revoke ${id} --yes`);
  const { status, err } = await admin.run(`key expire ${id} --never`);
  expect([status, err]).toEqual([1, expect.stringContaining('cannot be restored')]);
  expect(await opens(key)).toBe(false);
});

test('lists an expired key as expired', async () => {
  const { id } = await admin.json(`key create --org ${org.id} --expires 1h`);
  admin.clock.time += DAY_MS;
  expect(await states()).toEqual(['expired']);
  expect((await admin.audit(org.id)).at(-1)).toMatchObject({ action: 'key.create', subject_id: id });
});

test.each(['', '--in 1h --never', '--in 0'])('rejects key expire %s', async (options) => {
  const { id } = await admin.json(`key create --org ${org.id}`);
  const { status } = await admin.run(`key expire ${id} ${options}`);
  expect(status).toBe(1);
  expect((await admin.db('api_keys').where({ id }).first()).expires_at).toBeNull();
});

describe('a signing secret', () => {
  const HOUR_MS = 3_600_000;

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

  test("can't decrypt a secret with another key", async () => {
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

  test('rejects a rotation during the overlap of an earlier one, unless its own overlap is 0', async () => {
    await create();
    await admin.json(`secret rotate --org ${org.id} --overlap 2h`);
    const { status, err } = await admin.run(`secret rotate --org ${org.id}`);
    expect(status).toBe(1);
    expect(err).toContain(`wait until ${new Date(admin.clock.now() + 2 * HOUR_MS).toISOString()}`);
    const last = await admin.json(`secret rotate --org ${org.id} --overlap 0 --yes`);
    expect(await signing()).toEqual([last.secret]);
  });

  test("doesn't extend the validity of a secret that expires before the overlap ends", async () => {
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
});

describe('a sign-in link', () => {
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

  test('creates a link for an existing key, named by its first characters', async () => {
    const { id, key } = await admin.json(`key create --org ${org.id} --scopes read`);
    const { path } = await admin.json(`console link --org ${org.id} --key ${key.slice(0, 12)}`);
    expect(await holderOf(path)).toMatchObject({ keyId: id, scopes: ['read'] });
  });

  test("rejects a link for another organization's key", async () => {
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
});
