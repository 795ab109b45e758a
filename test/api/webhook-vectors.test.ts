/** The published vectors, against our signer, the helper, the programs that docs/webhooks.md shows or links, and a computation that is none of these. */
import { spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signatureHeaders } from '../../activities/delivering/signature';
import { Webhook } from 'standardwebhooks';
import { verifyWebhook } from '../../api/webhooks/verify-webhook';

interface Accepted {
  name: string;
  signed_with: string[];
  event_id: string;
  timestamp: number;
  attempt: number;
  body: string;
  headers: Record<string, string>;
}
interface Refused {
  name: string;
  secrets: string[];
  now: number;
  body: string;
  headers: Record<string, string>;
  reason: string;
}

const docs = (name: string) => readFileSync(join(__dirname, '../../docs', name), 'utf8');
const vectors: { accepted: Accepted[]; refused: Refused[] } = JSON.parse(docs('webhook-vectors.json'));
const accepted = vectors.accepted.map((vector) => [vector.name, vector] as const);
const refused = vectors.refused.map((vector) => [vector.name, vector] as const);

test('each vector has a name of its own', () => {
  const names = [...accepted, ...refused].map(([name]) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(accepted.length).toBeGreaterThanOrEqual(10);
  expect(refused.length).toBeGreaterThanOrEqual(15);
});

describe.each(accepted)('%s', (_name, vector) => {
  const { signed_with: secrets, event_id: eventId, timestamp, attempt, body, headers } = vector;

  test('is what we sign', () => {
    expect(signatureHeaders({ eventId, body, attempt, timestampS: timestamp, secrets })).toEqual(headers);
  });

  test('stands up against a computation of its own', () => {
    const bytes = Buffer.from(body, 'utf8');
    const oldest = secrets.at(-1) as string;
    const own = createHmac('sha256', oldest).update(Buffer.concat([Buffer.from(`${timestamp}.`), bytes]));
    expect(headers['X-Service-Signature']).toBe(`sha256=${own.digest('hex')}`);
    const trio = secrets.map((secret) => {
      const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
      expect(key).toHaveLength(32);
      const signed = Buffer.concat([Buffer.from(`${eventId}.${timestamp}.`), bytes]);
      return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
    });
    expect(headers['webhook-signature']).toBe(trio.join(' '));
  });

  test.each([-300, 0, 300])('is accepted %d s from its timestamp, with any of its secrets', (offS) => {
    const nowMs = (timestamp + offS) * 1000;
    const expected = { ok: true, eventId, timestampS: timestamp, attempt };
    for (const known of [secrets, ...secrets.map((secret) => [secret])]) {
      expect(verifyWebhook({ headers, body, secrets: known, nowMs })).toMatchObject(expected);
    }
    expect(verifyWebhook({ headers, body: Buffer.from(body), secrets, nowMs })).toMatchObject(expected);
  });
});

test.each(refused)('refused: %s', (_name, { headers, body, secrets, now, reason }) => {
  expect(verifyWebhook({ headers, body, secrets, nowMs: now * 1000 })).toEqual({ ok: false, reason });
});

describe('the library of Standard Webhooks', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  /** Whether any of the secrets makes it accept, as receivers do during a rotation. */
  const takes = (secrets: string[], body: string, headers: Record<string, string>): boolean =>
    secrets.some((secret) => {
      try {
        // Our vectors have bodies that are no JSON, too.
        new Webhook(secret).verify(body, headers, { jsonParse: false });
        return true;
      } catch {
        return false;
      }
    });

  test.each(accepted)('takes what we sign: %s', (_name, vector) => {
    for (const offS of [-300, 0, 300]) {
      jest.setSystemTime((vector.timestamp + offS) * 1000);
      for (const secret of vector.signed_with) {
        expect(takes([secret], vector.body, vector.headers)).toBe(true);
      }
    }
  });

  test('refuses what our verifier refuses, save another event id in a header that only we know', () => {
    const different = vectors.refused.filter(({ secrets, now, body, headers }) => {
      jest.setSystemTime(now * 1000);
      const ours = verifyWebhook({ headers, body, secrets, nowMs: now * 1000, form: 'standard' });
      return takes(secrets, body, headers) !== ours.ok;
    });
    expect(different.map(({ name }) => name)).toEqual(['another event id beside signatures that hold']);
  });

  test.each(accepted)('signs what our verifier takes: %s', (_name, vector) => {
    const { event_id: id, timestamp, body, signed_with: secrets } = vector;
    for (const secret of secrets) {
      const headers = {
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': new Webhook(secret).sign(id, new Date(timestamp * 1000), body),
      };
      const verdict = verifyWebhook({ headers, body, secrets, nowMs: timestamp * 1000, form: 'standard' });
      expect(verdict).toMatchObject({ ok: true, eventId: id });
    }
  });
});

/** Each vector as a program meets it: the accepted ones with each of their secrets, and at both ends of the tolerance. */
const cases: (Pick<Refused, 'secrets' | 'now' | 'body' | 'headers'> & { expected: string | null })[] = [
  ...vectors.accepted.flatMap(({ signed_with, timestamp, body, headers, event_id }) =>
    [-300, 0, 300].map((offS) => ({
      secrets: signed_with,
      now: timestamp + offS,
      body,
      headers: lower(headers),
      expected: event_id,
    })),
  ),
  ...vectors.refused.map(({ secrets, now, body, headers }) => ({
    secrets,
    now,
    body,
    headers: lower(headers),
    expected: null,
  })),
];

function lower(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function shellProgram(): string {
  const [, text] = /```sh\n([^]*?)```/.exec(docs('webhooks.md')) ?? [];
  if (text === undefined) throw new Error('docs/webhooks.md has no program for the shell');
  return text;
}
const isThere = (command: string, ...args: string[]) => spawnSync(command, args).status === 0;

describe('the programs that docs/webhooks.md shows or links', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'webhook-programs-'));
    writeFileSync(join(folder, 'cases.json'), JSON.stringify(cases));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** A machine without the language shows nothing about it. */
  const testWhere = (there: boolean) => (there ? test : test.skip);

  testWhere(isThere('python3', '-c', 'import hmac'))('Python judges every vector as we do', () => {
    const run = `
import sys
print(json.dumps([verify_webhook(c["headers"], c["body"].encode(), c["secrets"], c["now"]) for c in json.load(open(sys.argv[1]))]))`;
    const { stdout, stderr } = spawnSync(
      'python3',
      ['-c', docs('../sdk/python/voice_agent_platform/verify_webhook.py') + run, join(folder, 'cases.json')],
      { encoding: 'utf8' },
    );
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual(cases.map(({ expected }) => expected));
  });

  testWhere(isThere('openssl', 'version'))('the shell makes the signature of every vector', () => {
    for (const { signed_with, timestamp, body, headers } of vectors.accepted) {
      writeFileSync(join(folder, 'body.json'), body);
      const { stdout, stderr } = spawnSync('sh', ['-c', shellProgram()], {
        cwd: folder,
        env: { ...process.env, TIMESTAMP: String(timestamp), SECRET: signed_with.at(-1) },
        encoding: 'utf8',
      });
      expect([stdout.trim(), stderr]).toEqual([headers['X-Service-Signature'], '']);
    }
  });
});
