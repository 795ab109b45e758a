import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { MAX_RECORDED_PER_MINUTE } from '../../api/console/session-routes';
import { issueSignInLink, type WantedLink } from '../../api/console/sign-in-link';
import { issueApiKey, revokeApiKey, type KeyOptions } from '../../db/organizations/api-keys';
import {
  findSession,
  MAX_TOKENS_OF_KEY,
  openSession,
  removeExpiredTokens,
} from '../../db/organizations/console-tokens';
import { MAX_WRONG_KEYS } from '../../api/http/auth/api-key';
import { answerChecker, type CheckAnswer } from './support/openapi-answers';
import { openTestApi, type Answer, type Asked, type TestApi } from './support/test-api';

const PATH = '/api/console/session';
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const OPERATOR = { kind: 'operator', id: 'test', requestId: null } as const;

let api: TestApi;
let check: CheckAnswer;

beforeAll(async () => {
  api = await openTestApi({ settings: { trustedProxies: ['127.0.0.1'] } });
  check = answerChecker((await api.ask('/api/openapi.json')).body);
});
afterAll(() => api.close());

interface Signed {
  cookie: string;
  csrf: string;
  keyId: string;
}

const anonymous = (path: string, asked: Asked = {}): Promise<Answer> => api.ask(path, { as: null, ...asked });

async function signIn(json: object, headers: Record<string, string> = {}): Promise<Answer> {
  const answer = await anonymous(PATH, { json, headers });
  const type = answer.headers.get('content-type');
  expect(check('POST', PATH, answer.status, type, answer.body)).toEqual([]);
  return answer;
}

const cookieOf = ({ headers }: Answer): string => headers.get('set-cookie')?.split(';')[0] ?? '';

async function signedIn(options: KeyOptions = {}): Promise<Signed> {
  const { id, key } = await issueApiKey(api.db, api.organization.id, options);
  const answer = await signIn({ api_key: key });
  expect(answer.status).toBe(201);
  return { cookie: cookieOf(answer), csrf: answer.body.csrf_token, keyId: id };
}

const by = ({ cookie, csrf }: Signed, asked: Asked = {}): Asked => ({
  as: null,
  ...asked,
  headers: { Cookie: cookie, 'X-CSRF-Token': csrf, ...asked.headers },
});

const codeOf = ({ status, body }: Answer): [number, string] => [status, body.detail.code];

describe('a console session', () => {
  test('opens a session with a key, and hides its cookie from scripts and other sites', async () => {
    const { key } = await issueApiKey(api.db, api.organization.id, { label: 'Front desk', scopes: ['read'] });
    const answer = await signIn({ api_key: key });
    expect([answer.status, answer.body]).toEqual([
      201,
      {
        organization: api.organization.name,
        key_name: 'Front desk',
        scopes: ['read'],
        csrf_token: expect.stringMatching(/^[\w-]{43}$/),
        expires_at: new Date(api.clock.time + 12 * HOUR_MS).toISOString(),
        workflow_pages: null,
      },
    ]);
    expect(answer.headers.get('set-cookie')).toMatch(
      /^console_session=[\w-]{11}\.[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/; Max-Age=43200$/,
    );
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  test("returns links to Temporal's pages only after a sign-in with an operator's link that allows them", async () => {
    const address = 'https://temporal.example.com/namespaces/default/workflows';
    const linked = await openTestApi({ settings: { workflowPages: address } });
    const opened = async (json: object) =>
      (await linked.ask(PATH, { as: null, json })).body.workflow_pages as object | null;
    const byLink = async (showsWorkflows: boolean) => {
      const wanted = {
        organizationId: linked.organization.id,
        of: { person: 'Asha' },
        showsWorkflows,
        actor: OPERATOR,
      };
      const { path } = await issueSignInLink(linked.db, wanted, linked.clock.time);
      return opened({ sign_in_token: path.replace('/console/#sign-in=', '') });
    };
    expect(await opened({ api_key: linked.organization.key })).toBeNull();
    expect(await byLink(false)).toBeNull();
    expect(await byLink(true)).toEqual({
      campaign: `${address}/campaign-{id}`,
      call: `${address}/{id}`,
      list: address,
    });
    await linked.close();
  });

  test('returns the same body when a session is opened and when it is read', async () => {
    const opened = await signIn({ api_key: api.organization.key });
    const read = await anonymous(PATH, { headers: { Cookie: cookieOf(opened) } });
    expect([read.status, read.body]).toEqual([200, opened.body]);
    expect(check('GET', PATH, read.status, read.headers.get('content-type'), read.body)).toEqual([]);
  });

  test.each([
    ['when a trusted proxy forwards HTTPS', { 'X-Forwarded-Proto': 'https' }],
    ['at the public address, which is HTTPS', { Host: 'calls.example.test' }],
  ])('sets a Secure __Host- cookie %s', async (_where, headers) => {
    const answer = await overHttp(headers);
    expect(answer).toMatch(/^__Host-console_session=.*; Path=\/;.*; Secure$/);
    expect(answer).not.toContain('Domain');
  });

  test("accepts over HTTPS only the __Host- cookie, which a sibling host can't set", async () => {
    const { cookie } = await signedIn();
    const ask = (name: string) =>
      anonymous('/api/agents', {
        headers: { Cookie: cookie.replace(/^[^=]*/, name), 'X-Forwarded-Proto': 'https' },
      });
    expect((await ask('__Host-console_session')).status).toBe(200);
    expect((await ask('console_session')).status).toBe(401);
  });

  test('ends a session when its browser signs in again, unless that sign-in fails', async () => {
    const first = await signedIn();
    const other = await signedIn();
    await signIn({ api_key: 'vap_wrong' }, { Cookie: first.cookie });
    expect((await api.ask(PATH, by(first))).status).toBe(200);
    const second = await signIn({ api_key: api.organization.key }, { Cookie: first.cookie });
    expect(second.status).toBe(201);
    expect(codeOf(await api.ask(PATH, by(first)))).toEqual([401, 'INVALID_SESSION']);
    for (const session of [{ ...other, cookie: cookieOf(second) }, other])
      expect((await api.ask(PATH, by(session))).status).toBe(200);
  });

  test('keeps at most 50 sessions per key: ends the oldest, and removes expired ones', async () => {
    const began = api.clock.time;
    const { id } = await issueApiKey(api.db, api.organization.id);
    const stored = async () => (await api.db('console_tokens').where({ key_id: id })).length;
    const open = () => api.db.transaction((trx) => openSession(trx, id, (api.clock.time += 1)));
    const first = await open();
    const second = await open();
    for (let n = 2; n < MAX_TOKENS_OF_KEY; n += 1) await open();
    await open();
    expect(await stored()).toBe(MAX_TOKENS_OF_KEY);
    expect(await findSession(api.db, first.token, api.clock.time)).toBeUndefined();
    expect(await findSession(api.db, second.token, api.clock.time)).toBeDefined();
    // Sessions that are opened concurrently also stay within the limit.
    await Promise.all([open(), open(), open()]);
    expect(await stored()).toBe(MAX_TOKENS_OF_KEY);
    api.clock.time += 12 * HOUR_MS;
    await open();
    expect(await stored()).toBe(1);
    await api.db('console_tokens').where({ key_id: id }).delete();
    api.clock.time = began;
  });

  test('stores a session as a hash, without its CSRF token', async () => {
    const { cookie, csrf, keyId } = await signedIn();
    const stored = JSON.stringify(await api.db('console_tokens').where({ key_id: keyId }));
    expect(stored).not.toContain(cookie.split('=')[1]);
    expect(stored).not.toContain(csrf);
    expect(csrf).not.toBe(cookie.split('=')[1]);
  });

  test('rejects a wrong key, a key together with a token, and neither', async () => {
    expect(codeOf(await signIn({ api_key: 'vap_wrong' }))).toEqual([401, 'INVALID_API_KEY']);
    expect(codeOf(await signIn({ sign_in_token: 'wrong' }))).toEqual([401, 'INVALID_SIGN_IN_TOKEN']);
    for (const body of [{}, { api_key: api.organization.key, sign_in_token: 'wrong' }])
      expect((await signIn(body)).status).toBe(422);
  });

  test('accepts a session for every method, but prefers a key in the header', async () => {
    const session = await signedIn();
    expect((await api.ask('/api/agents', by(session))).status).toBe(200);
    const made = await api.ask(
      '/api/create-agent',
      by(session, { json: { agent_display_name: 'Reminder' } }),
    );
    expect(made.status).toBe(200);
    const both = await api.ask(
      `/api/agent/${made.body.agent_id}`,
      by(session, { headers: { 'X-API-Key': api.stranger.key } }),
    );
    expect(codeOf(both)).toEqual([404, 'AGENT_NOT_FOUND']);
    const [record] = await api.db('audit_log').where({ subject_id: made.body.agent_id });
    expect(record).toMatchObject({ actor_kind: 'api_key', actor_id: session.keyId });
  });

  test('changes nothing without the CSRF token of the session', async () => {
    const [session, other] = [await signedIn(), await signedIn()];
    for (const csrf of ['', other.csrf, session.csrf.slice(1)]) {
      const asked = by({ ...session, csrf }, { json: { agent_display_name: 'Never made' } });
      expect(codeOf(await api.ask('/api/create-agent', asked))).toEqual([403, 'CSRF_TOKEN_INVALID']);
      const ending = await api.ask(PATH, by({ ...session, csrf }, { method: 'DELETE' }));
      expect(codeOf(ending)).toEqual([403, 'CSRF_TOKEN_INVALID']);
    }
    expect((await api.ask('/api/agents', by({ ...session, csrf: '' }))).status).toBe(200);
    const [{ count } = { count: '' }] = await api.db('agents').where({ display_name: 'Never made' }).count();
    expect(count).toBe(0);
  });

  test('applies the current scopes of the key to its session', async () => {
    const session = await signedIn({ scopes: ['read'] });
    const create = () => api.ask('/api/create-agent', by(session, { json: { agent_display_name: 'R' } }));
    expect(codeOf(await create())).toEqual([403, 'INSUFFICIENT_SCOPE']);
    await api
      .db('api_keys')
      .where({ id: session.keyId })
      .update({ scopes: ['read', 'configure'] });
    expect((await create()).status).toBe(200);
    expect((await api.ask(PATH, by(session))).body.scopes).toEqual(['read', 'configure']);
  });

  test.each([
    ['is revoked', (id: string) => revokeApiKey(api.db, id, api.clock.time)],
    [
      'expires',
      (id: string) =>
        api
          .db('api_keys')
          .where({ id })
          .update({ expires_at: new Date(api.clock.time) }),
    ],
    ['is deleted', (id: string) => api.db('api_keys').where({ id }).delete()],
  ])('ends a session immediately when its key %s', async (_how, end) => {
    const session = await signedIn();
    await end(session.keyId);
    expect(codeOf(await api.ask('/api/agents', by(session)))).toEqual([401, 'INVALID_SESSION']);
    expect(codeOf(await api.ask(PATH, by(session)))).toEqual([401, 'INVALID_SESSION']);
  });

  test('ends a session on sign-out, and clears its cookie', async () => {
    const session = await signedIn();
    const answer = await api.ask(PATH, by(session, { method: 'DELETE' }));
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(answer.headers.get('set-cookie')).toMatch(/^console_session=; .*Max-Age=0/);
    expect(codeOf(await api.ask('/api/agents', by(session)))).toEqual([401, 'INVALID_SESSION']);
  });

  test('ends a session after twelve hours, and removes it in the retention run', async () => {
    const now = api.clock.time;
    const { keyId } = await signedIn();
    const { token } = await openSession(api.db, keyId, now);
    expect(await findSession(api.db, token, now + 12 * HOUR_MS - 1)).toBeDefined();
    expect(await findSession(api.db, token, now + 12 * HOUR_MS)).toBeUndefined();
    expect(await removeExpiredTokens(api.db, now + 12 * HOUR_MS - 1)).toBe(0);
    expect(await removeExpiredTokens(api.db, now + 12 * HOUR_MS)).toBeGreaterThan(0);
    expect(await api.db('console_tokens').where({ key_id: keyId })).toEqual([]);
  });

  test('returns INVALID_SESSION for an unknown cookie, and MISSING_API_KEY without one', async () => {
    const unknown = { headers: { Cookie: 'other=1; console_session=unknown' } };
    expect(codeOf(await anonymous('/api/agents', unknown))).toEqual([401, 'INVALID_SESSION']);
    expect(codeOf(await anonymous('/api/agents', { headers: { Cookie: 'other=1' } }))).toEqual([
      401,
      'MISSING_API_KEY',
    ]);
    expect(codeOf(await anonymous(PATH))).toEqual([401, 'INVALID_SESSION']);
    expect(codeOf(await api.ask(PATH))).toEqual([401, 'INVALID_SESSION']);
  });

  test("records a sign-in under its key, with the browser's address", async () => {
    const { id, key } = await issueApiKey(api.db, api.organization.id);
    await signIn({ api_key: key }, { 'X-Forwarded-For': '192.0.2.20' });
    const entry = {
      action: 'console.sign_in',
      actor_kind: 'api_key',
      actor_id: id,
      organization_id: api.organization.id,
    };
    expect(await api.db('audit_log').where({ subject_id: id })).toMatchObject([
      { ...entry, address: '192.0.2.20' },
    ]);
  });
});

describe('a sign-in link', () => {
  const link = async (of: WantedLink['of'] = { person: 'Asha' }) => {
    const issued = await api.db.transaction((trx) =>
      issueSignInLink(trx, { organizationId: api.organization.id, of, actor: OPERATOR }, api.clock.time),
    );
    return { ...issued, token: issued.path.replace('/console/#sign-in=', '') };
  };

  test('opens only one session with a link, even when it is used several times concurrently', async () => {
    const { id } = await issueApiKey(api.db, api.organization.id, { label: 'Desk', scopes: ['operate'] });
    const { token } = await link({ keyId: id });
    const answers = await Promise.all([1, 2, 3].map(() => signIn({ sign_in_token: token })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 401, 401]);
    const opened = answers.find(({ status }) => status === 201);
    expect(opened?.body).toMatchObject({ key_name: 'Desk', scopes: ['operate'] });
  });

  test('accepts a link for ten minutes, unless its key is revoked', async () => {
    const { token, expiresAt } = await link();
    expect(expiresAt.getTime()).toBe(api.clock.time + 10 * MINUTE_MS);
    api.clock.time += 10 * MINUTE_MS;
    expect(codeOf(await signIn({ sign_in_token: token }))).toEqual([401, 'INVALID_SIGN_IN_TOKEN']);
    const { id } = await issueApiKey(api.db, api.organization.id);
    const ofRevoked = await link({ keyId: id });
    await revokeApiKey(api.db, id, api.clock.time);
    expect(codeOf(await signIn({ sign_in_token: ofRevoked.token }))).toEqual([401, 'INVALID_SIGN_IN_TOKEN']);
  });

  test("rejects a link's token as a session token, and the reverse", async () => {
    const { token } = await link();
    const headers = { Cookie: `console_session=${token}` };
    expect(codeOf(await anonymous('/api/agents', { headers }))).toEqual([401, 'INVALID_SESSION']);
    const session = await signedIn();
    const [, used = ''] = session.cookie.split('=');
    expect((await signIn({ sign_in_token: used })).status).toBe(401);
  });

  test('creates a separate key for each person with a link', async () => {
    const links = await Promise.all([link(), link(), link(), link({ person: 'Ravi' })]);
    expect(new Set(links.map(({ keyId }) => keyId)).size).toBe(2);
    const keys = await api
      .db('api_keys')
      .where({ organization_id: api.organization.id, label: 'console: Asha' });
    expect(keys).toMatchObject([{ id: links[0]?.keyId, scopes: null }]);
    const signed = await signIn({ sign_in_token: links[3]?.token });
    expect(signed.body.key_name).toBe('console: Ravi');
  });
});

describe('a failed sign-in', () => {
  const failures = () => api.db('audit_log').where({ action: 'console.sign_in_failed' });
  // Moves to the next minute of the rate limit.
  beforeEach(async () => {
    api.clock.time += MINUTE_MS;
    await failures().delete();
  });

  test('records a failed sign-in and its address for the organization whose revoked key was used', async () => {
    const { id, key } = await issueApiKey(api.db, api.organization.id);
    await revokeApiKey(api.db, id, api.clock.time);
    await signIn({ api_key: key }, { 'X-Forwarded-For': '192.0.2.21' });
    expect(await failures()).toMatchObject([
      { organization_id: api.organization.id, actor_kind: 'visitor', subject_id: id, address: '192.0.2.21' },
    ]);
    const shown = await api.ask('/api/audit?action=console.sign_in_failed');
    expect(shown.body.data).toMatchObject([
      { actor: { kind: 'visitor', id: null, name: null }, subject_id: id, address: '192.0.2.21' },
    ]);
  });

  test('records a sign-in with an unknown secret for the operator, at most 20 times a minute', async () => {
    for (let n = 0; n < MAX_RECORDED_PER_MINUTE + 5; n += 1)
      await signIn({ sign_in_token: `wrong ${n}` }, { 'X-Forwarded-For': `192.0.2.${100 + n}` });
    const recorded = await failures();
    expect(recorded).toHaveLength(MAX_RECORDED_PER_MINUTE);
    expect(recorded[0]).toMatchObject({ organization_id: null, subject_id: 'unknown' });
    expect(JSON.stringify(recorded)).not.toContain('wrong');
  });
});

test('looks up no wrong secrets from an address beyond its limit, but still accepts valid ones', async () => {
  const from = (address: string) => ({ 'X-Forwarded-For': address });
  const session = await signedIn();
  for (let n = 0; n < MAX_WRONG_KEYS; n += 1)
    await signIn({ api_key: `vap_${randomUUID()}` }, from('192.0.2.7'));
  const statements: string[] = [];
  const watch = ({ sql }: { sql: string }): void => void statements.push(sql);
  api.db.on('query', watch);
  await signIn({ api_key: 'vap_wrong' }, from('192.0.2.7'));
  await signIn({ sign_in_token: 'wrong' }, from('192.0.2.7'));
  const wrong = { headers: { ...from('192.0.2.7'), Cookie: 'console_session=wrong' } };
  expect((await anonymous('/api/agents', wrong)).status).toBe(401);
  api.db.off('query', watch);
  expect(statements.filter((sql) => !sql.includes('string_agg'))).toEqual([]);
  expect((await api.ask('/api/agents', by(session, { headers: from('192.0.2.7') }))).status).toBe(200);
  expect((await signIn({ api_key: api.organization.key }, from('192.0.2.7'))).status).toBe(201);
});

/** Signs in with any Host header and returns the Set-Cookie header. */
function overHttp(headers: Record<string, string>): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${api.url}${PATH}`,
      { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers } },
      (response) => {
        response.resume();
        resolve(String(response.headers['set-cookie']));
      },
    );
    sent.on('error', reject);
    sent.end(JSON.stringify({ api_key: api.organization.key }));
  });
}
