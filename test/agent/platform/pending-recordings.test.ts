import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { PendingRecordings } from '../../../agent/platform/pending-recordings';
import { PlatformApi } from '../../../agent/platform/platform-api';
import { RECORDING_LATE_MS } from '../../../domain/recording';
import { temporaryFolder } from '../../dev/temporary-folder';
import { callContextOf, FakePlatform, SECRET, TICKET } from '../support/fake-platform';

const HOUR_MS = 60 * 60 * 1000;

let platform: FakePlatform;
let folder: string;
let pending: PendingRecordings;
let lines: { level: string; fields: object }[];

beforeEach(async () => {
  platform = await FakePlatform.open();
  folder = join(temporaryFolder(), 'recordings');
  pending = new PendingRecordings(folder);
  lines = [];
});
afterEach(() => platform.close());

const line = (level: string) => (fields: object) => void lines.push({ level, fields });
const log = { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') };
const kept = (): string[] => readdirSync(folder);
const keep = (callId: string) =>
  pending.keep({ callId, token: `token-of-${callId}` }, Readable.from([Buffer.from(`audio of ${callId}`)]));
const upload = (inMs = HOUR_MS) => pending.upload(platform.url, log, Date.now() + inMs);

async function conversation(callId: string): Promise<PlatformApi> {
  platform.callContexts.set(callId, callContextOf(callId));
  const api = new PlatformApi({ apiUrl: platform.url, secret: SECRET }, TICKET, pending);
  await api.callContext(callId);
  return api;
}
const content = () => Readable.from([Buffer.from('audio')]);

test('deletes the recording from disk once the platform has it', async () => {
  const api = await conversation('outbound-1-a');
  expect(await api.storeRecording('outbound-1-a', content)).toBe('stored');
  expect(platform.recordings.get('outbound-1-a')?.toString()).toBe('audio');
  expect(kept()).toEqual([]);
});

test('deletes the recording from disk when the platform rejects it', async () => {
  const api = await conversation('outbound-1-a');
  platform.nextRecordingStatuses = [409];
  expect(await api.storeRecording('outbound-1-a', content)).toBe('rejected');
  expect(kept()).toEqual([]);
});

test('writes the recording to disk before the first upload attempt', async () => {
  const api = await conversation('outbound-1-a');
  let onDisk: string[] = [];
  platform.onRecording = () => (onDisk = kept());
  await api.storeRecording('outbound-1-a', content);
  expect(onDisk).toHaveLength(1);
});

test('makes pending recordings readable only by their user', async () => {
  await keep('outbound-1-a');
  const [name = ''] = kept();
  const modes = ['', 'recording.wav', 'call.json'].map(
    (file) => statSync(join(folder, name, file)).mode & 0o777,
  );
  expect(modes).toEqual([0o700, 0o600, 0o600]);
});

test("uploads a pending recording from another process with its call's token, and deletes it", async () => {
  await keep('outbound-1-a');
  await keep('outbound-1-b');
  await upload();
  expect(platform.recordings.get('outbound-1-a')?.toString()).toBe('audio of outbound-1-a');
  expect(platform.recordings.size).toBe(2);
  expect(kept()).toEqual([]);
  expect(lines.map(({ level }) => level)).toEqual(['info', 'info']);
});

test('keeps a recording while the storage is unavailable, and uploads it later', async () => {
  await keep('outbound-1-a');
  platform.nextRecordingStatuses = [503, 503];
  await upload();
  await upload();
  expect(kept()).toHaveLength(1);
  await upload();
  expect(platform.recordings.get('outbound-1-a')?.toString()).toBe('audio of outbound-1-a');
  expect(kept()).toEqual([]);
});

test('keeps a recording while the API is unreachable', async () => {
  await keep('outbound-1-a');
  await pending.upload('http://127.0.0.1:1', log, Date.now() + HOUR_MS);
  expect(kept()).toHaveLength(1);
});

test('does not upload a recording in the first minutes, because its own process is still trying', async () => {
  await keep('outbound-1-a');
  await upload(0);
  expect(platform.recordings.size).toBe(0);
  expect(kept()).toHaveLength(1);
});

test.each([
  ['the platform has erased its call', [404], HOUR_MS],
  ['it has waited for a week', [503], RECORDING_LATE_MS + HOUR_MS],
])('deletes a recording and logs its call when %s', async (_why, statuses, inMs) => {
  await keep('outbound-1-a');
  platform.nextRecordingStatuses = [...statuses];
  await upload(inMs);
  expect(kept()).toEqual([]);
  expect(lines).toEqual([{ level: 'error', fields: { call_id: 'outbound-1-a', status: statuses[0] } }]);
});

test('deletes a recording that a killed process left unfinished, without uploading it', async () => {
  async function* cutOff(): AsyncGenerator<Buffer> {
    yield Buffer.from('half');
    // Never continues, like a killed process.
    await pendingForGood();
  }
  void keepCutOff(cutOff());
  await untilThere();
  await upload();
  expect(kept()).toEqual([]);
  expect(platform.recordings.size).toBe(0);
});

const pendingForGood = (): Promise<void> => new Promise(() => undefined);
const keepCutOff = (audio: AsyncGenerator<Buffer>) =>
  pending.keep({ callId: 'outbound-1-a', token: 'x' }, Readable.from(audio)).catch(() => undefined);

async function untilThere(): Promise<void> {
  for (;;) {
    const [name] = (() => {
      try {
        return kept();
      } catch {
        return [];
      }
    })();
    if (name !== undefined && readdirSync(join(folder, name)).includes('recording.wav')) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test("uploads a recording even when it can't be written to disk", async () => {
  pending = new PendingRecordings('/dev/null/recordings');
  const api = await conversation('outbound-1-a');
  expect(await api.storeRecording('outbound-1-a', content)).toBe('stored');
});
