import { join } from 'node:path';
import { signatureHeaders } from '../../../activities/delivering/signature';
import { readReceiverLog } from '../../../dev/receiver/log';
import { startReceiver, type Receiver } from '../../../dev/receiver/receiver';
import { temporaryFolder } from '../temporary-folder';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const OTHER = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const folder = temporaryFolder();
let runs = 0;
let logPath: string;
let receiver: Receiver;
let status = 200;

beforeEach(async () => {
  status = 200;
  logPath = join(folder, 'logs', `${(runs += 1)}.jsonl`);
  receiver = await startReceiver({ port: 0, logPath, secrets: () => [SECRET], answer: () => status });
});
afterEach(() => receiver.close());

const EVENT = { event_id: 'e1', event: 'call.completed', call_id: 'outbound-1', campaign_id: 'c1' };

async function deliver(
  options: { body?: string; headers?: Record<string, string>; secret?: string; secondsOff?: number } = {},
): Promise<number> {
  const body = options.body ?? JSON.stringify({ ...EVENT, transcript: 'AGENT: Hello.' });
  const signed = signatureHeaders({
    eventId: 'e1',
    body,
    attempt: 2,
    timestampS: Math.floor(Date.now() / 1000) + (options.secondsOff ?? 0),
    secrets: [options.secret ?? SECRET],
  });
  const headers = { ...signed, ...options.headers };
  return (await fetch(`${receiver.url}/calls`, { method: 'POST', body, headers })).status;
}
const faults = () => readReceiverLog(logPath).map(({ fault }) => fault);

test("accepts and logs a delivery with the platform's signature, without names, numbers or transcript", async () => {
  expect(await deliver()).toBe(200);
  expect(readReceiverLog(logPath)).toEqual([
    {
      at: expect.any(String),
      path: '/calls',
      ...EVENT,
      attempt: 2,
      valid: true,
      fault: null,
      timestamp: expect.stringMatching(/^\d{10}$/),
      signature: expect.stringMatching(/^sha256=[0-9a-f]{64}$/),
      status: 200,
    },
  ]);
  expect(receiver.entries).toEqual(readReceiverLog(logPath));
});

test.each([
  ['another secret', { secret: OTHER }, 'X-Service-Signature: signature-mismatch'],
  ['an old timestamp', { secondsOff: -301 }, 'X-Service-Signature: timestamp-too-old'],
  ['a future timestamp', { secondsOff: 310 }, 'X-Service-Signature: timestamp-too-new'],
  [
    'only our own signature',
    { headers: { 'webhook-signature': 'v1,x' } },
    'webhook-signature: signature-mismatch',
  ],
  [
    'only the standard signature',
    { headers: { 'X-Service-Signature': '' } },
    'X-Service-Signature: missing-header',
  ],
  ['another event id', { headers: { 'X-Service-Event-Id': 'e2' } }, 'X-Service-Signature: event-id-mismatch'],
  [
    'a body without its event id',
    { body: '{"event":"call.completed"}' },
    'the event_id in the body differs from the header',
  ],
  ['a body that is not JSON', { body: 'hello' }, 'the event_id in the body differs from the header'],
])('responds to a delivery with %s and logs it as invalid', async (_what, options, fault) => {
  expect(await deliver(options)).toBe(200);
  expect(faults()).toEqual([fault]);
});

test('accepts a delivery if one of two signatures is valid during a secret rotation', async () => {
  const body = JSON.stringify(EVENT);
  const rotating = (secrets: string[]) =>
    signatureHeaders({ eventId: 'e1', body, attempt: 1, timestampS: Math.floor(Date.now() / 1000), secrets });
  // The newest secret comes first. This receiver doesn't know it yet.
  const headers = { ...rotating([OTHER, SECRET]) };
  await deliver({ body, headers });
  expect(faults()).toEqual([null]);
});
