/** A database dump and the log must not contain a secret. */
import { onlyKey } from '../../db/kernel/secrets-keys';
import { issueApiKey } from '../../db/organizations/api-keys';
import { activeSecrets, issueSigningSecret } from '../../db/webhooks/signing-secrets';
import { newEstate, type Estate } from './support/estate';
import { openTestApi, type TestApi } from './support/test-api';

const LIVEKIT = {
  url: 'wss://media.example.test',
  publicUrl: 'wss://media.example.test',
  apiKey: 'media-key',
  apiSecret: 'media-secret-of-32-characters-ab',
};

jest.setTimeout(60_000);

let api: TestApi;
let estate: Estate;

beforeAll(async () => {
  api = await openTestApi({ settings: { livekit: LIVEKIT } });
  estate = await newEstate(api, api.organization, { name: 'Zubeida', firstNumber: '9876543200' });
});
afterAll(() => api.close());

/** Returns every row of every table, with bytes as hex. */
async function dump(): Promise<string> {
  const tables = await api.db('pg_tables').where({ schemaname: 'public' }).pluck('tablename');
  const rows = await Promise.all(
    tables.map(async (table: string) => (await api.db.raw(`select t::text as text from "${table}" t`)).rows),
  );
  return rows
    .flat()
    .map(({ text }: any) => text)
    .join('\n');
}

/** The secret in clear text, in hex and in base64. */
const spellings = (secret: string): string[] => {
  const bytes = Buffer.from(secret);
  return [secret, bytes.toString('hex'), bytes.toString('base64').replace(/=+$/, '')];
};

function heldIn(text: string, secrets: Record<string, string>): string[] {
  return Object.entries(secrets).flatMap(([name, secret]) =>
    spellings(secret).some((spelling) => text.toLowerCase().includes(spelling.toLowerCase())) ? [name] : [],
  );
}

test('stores no key, signing secret or issued credential in clear text', async () => {
  const { key } = await issueApiKey(api.db, api.organization.id);
  const { secret } = await issueSigningSecret(api.db, api.organization.id, api.secretsKeys);
  const session = await api.ask('/api/trigger-call/', {
    json: { agent_id: estate.agents.running, medium: 'webrtc' },
    headers: { 'Idempotency-Key': 'kept-for-a-day' },
  });
  expect(session.status).toBe(200);
  const secrets = {
    'the first key': api.organization.key,
    'a second key': key,
    'a signing secret': secret,
    'its bytes': Buffer.from(secret.slice('whsec_'.length), 'base64').toString('latin1'),
    'the token of a session': session.body.token,
    'the secret of the media server': LIVEKIT.apiSecret,
    'the address of its captions': session.body.live_captions_url,
    'a signed query': estate.signed.transcript.split('signature=')[1] ?? '',
    'the key of the secrets': api.secretsKeys.current.toString('latin1'),
  };
  const text = await dump();
  // The dump contains ordinary words, so it would also contain a secret.
  expect(text).toContain(estate.marks.name);
  expect(heldIn(text, secrets)).toEqual([]);
  expect(heldIn(api.logLines().join(''), secrets)).toEqual([]);
});

test('decrypts a signing secret only with the key it was stored with', async () => {
  const now = api.clock.time;
  const owner = await api.newOrganization();
  const { secret } = await issueSigningSecret(api.db, owner.id, api.secretsKeys);
  expect(await activeSecrets(api.db, owner.id, api.secretsKeys, now)).toEqual([secret]);
  await expect(activeSecrets(api.db, owner.id, onlyKey(Buffer.alloc(32, 7)), now)).rejects.toThrow();
});

test('logs no name, number, key, address or spoken word', () => {
  const { name, firstNumber } = estate.marks;
  const lines = api.logLines();
  expect(lines.length).toBeGreaterThan(10);
  const leaks = lines.filter((line) =>
    [name, firstNumber.slice(0, 8), 'vap_', 'whsec_', 'signature', '@example.test', 'speaking'].some((word) =>
      line.toLowerCase().includes(word.toLowerCase()),
    ),
  );
  expect(leaks).toEqual([]);
  const known = [
    'level',
    'time',
    'pid',
    'hostname',
    'msg',
    'method',
    'route',
    'status',
    'ms',
    'process',
    'request_id',
    'organization_id',
  ];
  const further = ['code', 'causes', 'call_id', 'campaign_id', 'delivery_id', 'signal', 'name'];
  const names = new Set(lines.flatMap((line) => Object.keys(JSON.parse(line) as object)));
  expect([...names].filter((each) => ![...known, ...further].includes(each))).toEqual([]);
});
