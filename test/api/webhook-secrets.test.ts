/** Signing secrets of webhooks, as an organization rotates them over the API. */
import { activeSecrets } from '../../db/webhooks/signing-secrets';
import { openTestApi, type Answer, type TestApi, type TestOrganization } from './support/test-api';

const HOUR_MS = 3_600_000;

let api: TestApi;
let organization: TestOrganization;

beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(async () => {
  organization = await api.newOrganization();
});
afterAll(() => api.close());

const rotate = (json: object = {}): Promise<Answer> =>
  api.ask('/api/webhook-secrets/rotate', { as: organization, json });
const list = () => api.ask('/api/webhook-secrets', { as: organization });
const signing = () => activeSecrets(api.db, organization.id, api.secretsKeys, api.clock.time);

test('returns a secret once, and signs with it from then on', async () => {
  expect((await list()).body).toEqual({ data: [] });
  const { status, body } = await rotate();
  expect([status, body]).toEqual([
    201,
    {
      id: expect.any(String),
      secret: expect.stringMatching(/^whsec_/),
      older_sign_until: new Date(api.clock.time + 24 * HOUR_MS).toISOString(),
    },
  ]);
  expect(await signing()).toEqual([body.secret]);
  const found = await list();
  expect(found.body.data).toEqual([
    { id: body.id, created_at: expect.any(String), expires_at: null, state: 'valid' },
  ]);
  for (const text of [found.text, JSON.stringify(await api.db('audit_log')), ...api.logLines()]) {
    expect(text).not.toContain(body.secret);
  }
});

test('also signs with the old secret during the requested overlap', async () => {
  const old = (await rotate()).body.secret;
  const { secret } = (await rotate({ overlap_hours: 2 })).body;
  expect((await signing()).sort()).toEqual([old, secret].sort());
  api.clock.time += 2 * HOUR_MS;
  expect(await signing()).toEqual([secret]);
});

test('returns 409 while two secrets are valid, unless an overlap of 0 ends both', async () => {
  await rotate();
  await rotate();
  const before = await signing();
  const refused = await rotate();
  expect([refused.status, refused.body.detail.code]).toEqual([409, 'TOO_MANY_SECRETS']);
  expect(await signing()).toEqual(before);
  const { secret } = (await rotate({ overlap_hours: 0 })).body;
  expect(await signing()).toEqual([secret]);
  expect((await list()).body.data.map(({ state }: { state: string }) => state).sort()).toEqual([
    'expired',
    'expired',
    'valid',
  ]);
});

test('records a rotation with its key, but not a rejected one', async () => {
  const { id: keyId } = await api.db('api_keys').where({ organization_id: organization.id }).first();
  const ids = [(await rotate()).body.id, (await rotate()).body.id];
  await rotate();
  const records = await api.db('audit_log').where({ organization_id: organization.id }).orderBy('id');
  expect(records.map((each) => [each.action, each.subject_id, each.actor_id])).toEqual(
    ids.map((id) => ['secret.rotate', id, keyId]),
  );
});
