/** Compares the published vectors with our signer, our verifier, the programs in docs/webhooks.md and an independent computation. */
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

test('gives each vector a unique name', () => {
  const names = [...accepted, ...refused].map(([name]) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(accepted.length).toBeGreaterThanOrEqual(10);
  expect(refused.length).toBeGreaterThanOrEqual(15);
});

describe.each(accepted)('the vector %s', (_name, vector) => {
  const { signed_with: secrets, event_id: eventId, timestamp, attempt, body, headers } = vector;

  test('matches what our signer produces', () => {
    expect(signatureHeaders({ eventId, body, attempt, timestampS: timestamp, secrets })).toEqual(headers);
  });

  test('matches an independent computation', () => {
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

  test.each([-300, 0, 300])(
    'passes verification %d s from its timestamp, with each of its secrets',
    (offS) => {
      const nowMs = (timestamp + offS) * 1000;
      const expected = { ok: true, eventId, timestampS: timestamp, attempt };
      for (const known of [secrets, ...secrets.map((secret) => [secret])]) {
        expect(verifyWebhook({ headers, body, secrets: known, nowMs })).toMatchObject(expected);
      }
      expect(verifyWebhook({ headers, body: Buffer.from(body), secrets, nowMs })).toMatchObject(expected);
    },
  );
});

test.each(refused)('rejects the vector: %s', (_name, { headers, body, secrets, now, reason }) => {
  expect(verifyWebhook({ headers, body, secrets, nowMs: now * 1000 })).toEqual({ ok: false, reason });
});

describe('the Standard Webhooks library', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  /** Returns true if any of the secrets verifies the webhook, as a receiver checks during a rotation. */
  const takes = (secrets: string[], body: string, headers: Record<string, string>): boolean =>
    secrets.some((secret) => {
      try {
        // Some vectors have bodies that aren't JSON.
        new Webhook(secret).verify(body, headers, { jsonParse: false });
        return true;
      } catch {
        return false;
      }
    });

  test.each(accepted)('accepts what we sign: %s', (_name, vector) => {
    for (const offS of [-300, 0, 300]) {
      jest.setSystemTime((vector.timestamp + offS) * 1000);
      for (const secret of vector.signed_with) {
        expect(takes([secret], vector.body, vector.headers)).toBe(true);
      }
    }
  });

  test('rejects what our verifier rejects, except a different event id in our own header', () => {
    const different = vectors.refused.filter(({ secrets, now, body, headers }) => {
      jest.setSystemTime(now * 1000);
      const ours = verifyWebhook({ headers, body, secrets, nowMs: now * 1000, form: 'standard' });
      return takes(secrets, body, headers) !== ours.ok;
    });
    expect(different.map(({ name }) => name)).toEqual(['another event id beside signatures that hold']);
  });

  test.each(accepted)('creates signatures that our verifier accepts: %s', (_name, vector) => {
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

/** Cases for the programs. Each accepted vector is tested with each of its secrets, at both ends of the tolerance. */
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

describe('the example programs in docs/webhooks.md', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'webhook-programs-'));
    writeFileSync(join(folder, 'cases.json'), JSON.stringify(cases));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Skips the test on a machine without the language. */
  const testWhere = (there: boolean) => (there ? test : test.skip);

  testWhere(isThere('python3', '-c', 'import hmac'))('verifies every vector as we do, in Python', () => {
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

  testWhere(isThere('openssl', 'version'))('produces the signature of every vector, in the shell', () => {
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
