/** Keys that an organization creates and revokes over the API. */
import { randomUUID } from 'node:crypto';
import {
  expireApiKey,
  issueApiKey,
  MAX_KEPT_KEYS,
  MAX_VALID_KEYS,
  type KeyOptions,
  type Scope,
} from '../../db/organizations/api-keys';
import { waitUntil } from '../../dev/stack/wait-until';
import { tableHashes } from './support/table-hashes';
import { openTestApi, type Answer, type TestApi, type TestOrganization } from './support/test-api';

const DAY_MS = 86_400_000;
const WAITING = `select 1 from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock' and query like '%from organizations%for no key update%'`;

let api: TestApi;
let organization: TestOrganization;

beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(async () => {
  organization = await api.newOrganization();
});
afterAll(() => api.close());

async function holder(options: KeyOptions = {}): Promise<TestOrganization & { keyId: string }> {
  const { id, key } = await issueApiKey(api.db, organization.id, options);
  return { ...organization, key, keyId: id };
}

const make = (json: object, as: TestOrganization = organization): Promise<Answer> =>
  api.ask('/api/keys', { as, json });
const revoke = (id: string, as: TestOrganization = organization): Promise<Answer> =>
  api.ask(`/api/keys/${id}/revoke`, { as, method: 'POST' });
const isLetIn = async (key: string): Promise<boolean> =>
  (await api.ask('/api/keys', { as: { ...organization, key } })).status !== 401;
const keysOf = async (as: TestOrganization = organization) => (await api.ask('/api/keys', { as })).body.data;
const auditOf = (subjectId: string) =>
  api
    .db('audit_log')
    .where({ subject_id: subjectId })
    .orderBy('id')
    .select('action', 'actor_kind', 'actor_id', 'organization_id');

test('returns a key once and includes it in neither the list nor any log', async () => {
  const made = await make({ name: ' Reports ', scopes: ['read'] });
  expect([made.status, made.body]).toEqual([
    201,
    {
      id: expect.any(String),
      key: expect.stringMatching(/^vap_[\w-]{32}$/),
      name: 'Reports',
      prefix: made.body.key.slice(0, 12),
      scopes: ['read'],
      made_by: expect.any(String),
      created_at: expect.any(String),
      last_used_at: null,
      expires_at: null,
      revoked_at: null,
      state: 'valid',
    },
  ]);
  const { key, ...shown } = made.body;
  const found = await api.ask('/api/keys', { as: organization });
  expect(found.body.data).toContainEqual(shown);
  const audit = JSON.stringify(await api.db('audit_log'));
  for (const text of [found.text, audit, ...api.logLines()]) expect(text).not.toContain(key.slice(12));
});

test('creates a key that works only within its scopes', async () => {
  const { key } = (await make({ name: 'Reports', scopes: ['read', 'read'] })).body;
  const as = { ...organization, key };
  expect((await api.ask('/api/agents', { as })).status).toBe(200);
  expect((await api.ask('/api/create-agent', { as, json: { agent_display_name: 'A' } })).status).toBe(403);
  expect((await api.ask('/api/keys', { as })).status).toBe(403);
});

describe('a key that creates another key', () => {
  test.each<[Scope[], Scope[]]>([
    [['configure'], ['read']],
    [['configure'], ['configure', 'operate']],
    [
      ['read', 'configure'],
      ['read', 'operate', 'configure'],
    ],
  ])('creates no key with scopes that the creating key lacks: %j creates %j', async (own, wanted) => {
    const as = await holder({ scopes: own });
    const before = await tableHashes(api.db);
    const { status, body } = await make({ name: 'More', scopes: wanted }, as);
    expect([status, body.detail.code]).toEqual([403, 'INSUFFICIENT_SCOPE']);
    expect(await keysOf(as)).toHaveLength(2);
    expect((await tableHashes(api.db)).audit_log).toEqual(before.audit_log);
  });

  test('stores the names of the scopes even if a key has all current ones', async () => {
    const { id } = (await make({ name: 'console', scopes: ['configure', 'operate', 'read'] })).body;
    expect((await api.db('api_keys').where({ id }).first()).scopes).toEqual(['read', 'operate', 'configure']);
  });

  test('rejects a key that expires later than the key that creates it', async () => {
    const expiresAt = api.clock.time + DAY_MS;
    const as = await holder({ expiresAt });
    const later = await make(
      { name: 'Later', scopes: ['read'], expires_at: new Date(expiresAt + 1).toISOString() },
      as,
    );
    expect([later.status, later.body.detail[0].loc]).toEqual([422, ['body', 'expires_at']]);
    const unsaid = await make({ name: 'Unsaid', scopes: ['read'] }, as);
    expect(unsaid.body.expires_at).toBe(new Date(expiresAt).toISOString());
  });

  test('rejects an expiry that has passed', async () => {
    const now = new Date(api.clock.time).toISOString();
    expect((await make({ name: 'Past', scopes: ['read'], expires_at: now })).status).toBe(422);
  });

  test('rejects the 101st key', async () => {
    const held = Array.from({ length: 98 }, () => issueApiKey(api.db, organization.id));
    await Promise.all(held);
    const asked = await Promise.all([1, 2].map((n) => make({ name: `Last ${n}`, scopes: ['read'] })));
    expect(asked.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  test('creates no key if the creating key is revoked during the request', async () => {
    const as = await holder();
    const trx = await api.db.transaction();
    await trx.raw('select 1 from organizations where id = ? for update', [organization.id]);
    const asked = make({ name: 'Left behind', scopes: ['read'] }, as);
    // Once the request waits for the organization's row, it has already checked its key.
    await waitUntil({
      what: 'the lock of the organization',
      check: async () => {
        const { rows } = await api.db.raw(WAITING);
        return rows.length > 0;
      },
      timeoutMs: 20_000,
    });
    await trx('api_keys')
      .where({ id: as.keyId })
      .update({ revoked_at: new Date(api.clock.time) });
    await trx.commit();
    expect((await asked).body.detail.code).toBe('INVALID_API_KEY');
    expect((await keysOf()).map(({ name }: { name: string }) => name)).not.toContain('Left behind');
  });
});

describe('POST /api/keys/{key_id}/revoke', () => {
  test('revokes the key and its sessions; revoking it again changes nothing', async () => {
    const { id, key } = (await make({ name: 'Lost', scopes: ['read', 'configure'] })).body;
    const opened = await api.ask('/api/console/session', { as: null, json: { api_key: key } });
    const headers = { Cookie: opened.headers.get('set-cookie')?.split(';')[0] ?? '' };
    expect((await api.ask('/api/agents', { as: null, headers })).status).toBe(200);
    const first = await revoke(id);
    expect([first.status, first.body.state]).toEqual([200, 'revoked']);
    expect((await api.ask('/api/agents', { as: null, headers })).status).toBe(401);
    expect(await isLetIn(key)).toBe(false);
    api.clock.time += 1_000;
    expect((await revoke(id)).body).toEqual(first.body);
    expect((await auditOf(id)).filter(({ action }) => action === 'key.revoke')).toHaveLength(1);
  });

  test('revokes the key of the request itself', async () => {
    const as = await holder();
    expect((await revoke(as.keyId, as)).status).toBe(200);
    expect(await isLetIn(as.key)).toBe(false);
  });

  test("rejects revoking a key that has more scopes than the request's key", async () => {
    const all = await holder();
    const as = await holder({ scopes: ['configure'] });
    const { status, body } = await revoke(all.keyId, as);
    expect([status, body.detail.code]).toEqual([403, 'INSUFFICIENT_SCOPE']);
    expect(await isLetIn(all.key)).toBe(true);
  });
});

test('records which key created or revoked another', async () => {
  const as = await holder({ label: 'Head office' });
  const { id } = (await make({ name: 'Branch', scopes: ['read'] }, as)).body;
  await revoke(id, as);
  const by = { actor_kind: 'api_key', actor_id: as.keyId, organization_id: organization.id };
  expect(await auditOf(id)).toEqual([
    { ...by, action: 'key.create' },
    { ...by, action: 'key.revoke' },
  ]);
});

test('lists keys newest first, in pages, with their state', async () => {
  const expired = await holder({ label: 'Expired', expiresAt: api.clock.time + 1_000 });
  api.clock.time += 1_000;
  const all = await keysOf();
  expect(all.map(({ id }: { id: string }) => id)[0]).toBe(expired.keyId);
  expect(all.map(({ state }: { state: string }) => state)).toEqual(['expired', 'valid']);
  const second = await api.ask('/api/keys?page=2&page_size=1', { as: organization });
  expect([second.body.data, second.body.pagination.total_count]).toEqual([[all[1]], 2]);
});

describe('a key created with another key', () => {
  const madeBy = async (
    as: TestOrganization,
    name: string,
  ): Promise<TestOrganization & { keyId: string }> => {
    const { id, key } = (await make({ name, scopes: ['configure'] }, as)).body;
    return { ...organization, key, keyId: id };
  };

  test('shows which key created another, and revokes a key with all keys descended from it', async () => {
    const maker = await holder({ scopes: ['configure'] });
    const made = await madeBy(maker, 'Made');
    const further = await madeBy(made, 'Further');
    const other = await madeBy(organization, 'Other');
    const makers = Object.fromEntries((await keysOf()).map(({ name, made_by: by }: any) => [name, by]));
    expect(makers).toMatchObject({ Made: maker.keyId, Further: made.keyId });
    expect((await revoke(maker.keyId)).status).toBe(200);
    for (const { key } of [maker, made, further]) expect(await isLetIn(key)).toBe(false);
    expect(await isLetIn(other.key)).toBe(true);
    for (const { keyId } of [made, further])
      expect((await auditOf(keyId)).map(({ action }) => action)).toEqual(['key.create', 'key.revoke']);
  });

  test('leaves no valid key behind when the creating key is revoked concurrently', async () => {
    const maker = await holder({ scopes: ['configure'] });
    await Promise.all([
      revoke(maker.keyId),
      ...[1, 2, 3].map((n) => make({ name: `${n}`, scopes: ['configure'] }, maker)),
    ]);
    const valid = (await keysOf()).filter(
      ({ made_by: by, state }: any) => by === maker.keyId && state === 'valid',
    );
    expect(valid).toEqual([]);
  });

  test("expires a key with its creating key when an operator shortens that key's expiry", async () => {
    const maker = await holder({ scopes: ['configure'] });
    const made = await madeBy(maker, 'Made');
    await api.db.transaction((trx) => expireApiKey(trx, maker.keyId, api.clock.time + DAY_MS));
    const { expires_at: expiresAt } = await api.db('api_keys').where({ id: made.keyId }).first();
    expect(expiresAt).toEqual(new Date(api.clock.time + DAY_MS));
    await api.db.transaction((trx) => expireApiKey(trx, maker.keyId, null));
    expect((await api.db('api_keys').where({ id: made.keyId }).first()).expires_at).toEqual(expiresAt);
  });
});

test('deletes the oldest invalid keys beyond a thousand', async () => {
  const old = Array.from({ length: MAX_KEPT_KEYS - MAX_VALID_KEYS }, (_none, n) => ({
    ...{
      id: randomUUID(),
      organization_id: organization.id,
      prefix: `vap_${n}`,
      key_hash: Buffer.from(`${organization.id}${n}`),
    },
    ...{ created_at: new Date(api.clock.time - DAY_MS - n), revoked_at: new Date(api.clock.time - 1) },
  }));
  await api.db('api_keys').insert(old);
  expect((await make({ name: 'One more', scopes: ['read'] })).status).toBe(201);
  const left = (await api.db('api_keys').where({ organization_id: organization.id }).select('id')).map(
    ({ id }) => id as string,
  );
  expect(left).not.toContain(old.at(-1)?.id);
  expect(left).toContain(old.at(0)?.id);
});

describe('a console session of a key', () => {
  async function session({ key }: TestOrganization): Promise<{ as: null; headers: Record<string, string> }> {
    const answer = await api.ask('/api/console/session', { as: null, json: { api_key: key } });
    const Cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
    return { as: null, headers: { Cookie, 'X-CSRF-Token': answer.body.csrf_token } };
  }
  const statusOf = async (by: object): Promise<number> => (await api.ask('/api/limits', by)).status;
  const list = async (keyId: string, by: object) =>
    (await api.ask(`/api/keys/${keyId}/sessions`, by)).body.data;

  test('lists sessions without their secrets, and ends one of them or all others', async () => {
    const as = await holder();
    const [first, second, third] = [await session(as), await session(as), await session(as)];
    const listed = await list(as.keyId, first);
    expect(listed).toHaveLength(3);
    expect(JSON.stringify(listed)).not.toContain(first.headers.Cookie?.split('.')[1]);
    const current = listed.find(({ is_current: isCurrent }: any) => isCurrent);
    expect(current).toMatchObject({ address: expect.stringMatching(/127\.0\.0\.1|::1/) });
    const end = (path: string) => api.ask(`/api/keys/${path}/end`, { as, method: 'POST' });
    expect((await end(`sessions/${current.id}`)).body).toEqual({ ended: 1 });
    expect([await statusOf(first), await statusOf(second)]).toEqual([401, 200]);
    const again = await end(`sessions/${current.id}`);
    expect([again.status, again.body.detail.code]).toEqual([404, 'SESSION_NOT_FOUND']);
    expect((await end(`${as.keyId}/sessions`)).body).toEqual({ ended: 2 });
    expect([await statusOf(second), await statusOf(third)]).toEqual([401, 401]);
    expect(await isLetIn(as.key)).toBe(true);
    expect(
      (await auditOf(as.keyId)).map(({ action }) => action).filter((action) => action === 'session.end'),
    ).toHaveLength(2);
  });

  test('hides sessions from other organizations, and rejects ending them with a key of fewer scopes', async () => {
    const as = await holder();
    const open = await session(as);
    const strange = { as: await api.newOrganization() };
    expect((await api.ask(`/api/keys/${as.keyId}/sessions`, strange)).status).toBe(404);
    const end = (by: object) => api.ask(`/api/keys/${as.keyId}/sessions/end`, { method: 'POST', ...by });
    expect((await end(strange)).status).toBe(404);
    expect((await end({ as: await holder({ scopes: ['configure'] }) })).status).toBe(403);
    expect(await statusOf(open)).toBe(200);
  });

  test('creates keys that are valid for 90 days by default and at most', async () => {
    const by = await session(await holder());
    const at = (days: number) => new Date(api.clock.time + days * DAY_MS).toISOString();
    const wish = (expiresAt?: string) =>
      api.ask('/api/keys', {
        ...by,
        json: { name: 'By a session', scopes: ['read'], expires_at: expiresAt },
      });
    expect((await wish()).body.expires_at).toBe(at(90));
    expect((await wish(at(7))).body.expires_at).toBe(at(7));
    const { status, body } = await wish(at(91));
    expect([status, body.detail[0].loc]).toEqual([422, ['body', 'expires_at']]);
  });
});
