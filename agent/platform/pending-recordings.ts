/** Recordings on this machine's disk that the platform does not have yet. They survive outages and crashes, and are uploaded later. */
import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { valueAt } from '../../domain/json';
import { RECORDING_LATE_MS, RECORDING_UPLOAD_MS } from '../../domain/recording';
import { type Log, errorName } from '../log';
import { callPath, requestApi, type ApiAccess, type ApiResult } from './request';

/** Suffix of a folder whose recording is incomplete. */
const UNFINISHED = '.part';
const AUDIO = 'recording.wav';
const CALL = 'call.json';
/** The conversation's own process uploads first. Its last attempt can begin a minute after the end. */
const OWN_ATTEMPTS_MS = RECORDING_UPLOAD_MS + 2 * 60_000;
const PASS_EVERY_MS = 30_000;

/** The call of a recording, and the token that authorizes the upload. */
interface RecordedCall {
  callId: string;
  token: string;
}

interface Kept {
  discard(): Promise<void>;
}

export const uploadRecording = (access: ApiAccess, callId: string, content: Readable): Promise<ApiResult> =>
  requestApi(access, {
    method: 'PUT',
    path: callPath(callId, '/recording'),
    audio: { contentType: 'audio/wav', content: Readable.toWeb(content) as ReadableStream },
  });

export class PendingRecordings {
  constructor(private readonly folder: string) {}

  /** Writes and flushes the recording, readable only by this user. On failure it rejects and leaves nothing behind. */
  async keep(call: RecordedCall, content: Readable): Promise<Kept> {
    const path = join(this.folder, randomUUID());
    const part = `${path}${UNFINISHED}`;
    try {
      await mkdir(part, { recursive: true, mode: 0o700 });
      await writeFile(join(part, CALL), JSON.stringify(call), { mode: 0o600, flush: true });
      await pipeline(content, createWriteStream(join(part, AUDIO), { mode: 0o600, flush: true }));
      await rename(part, path);
    } catch (error) {
      await rm(part, { recursive: true, force: true });
      throw error;
    }
    return { discard: () => rm(path, { recursive: true, force: true }) };
  }

  /** Uploads recordings that no conversation's process handles any more. Stops when the platform is unavailable. */
  async upload(apiUrl: string, log: Log, now = Date.now()): Promise<void> {
    // The order is random, so that one recording that always fails can't block the others.
    const waiting = (await this.waiting(now)).sort(() => Math.random() - 0.5);
    for (const { path, ageMs } of waiting) {
      const { callId, token } = await callOf(path);
      const audio = createReadStream(join(path, AUDIO));
      const answer = await uploadRecording({ apiUrl, secret: token }, callId, audio);
      if (answer.kind === 'unavailable' && ageMs < RECORDING_LATE_MS) return;
      await rm(path, { recursive: true, force: true });
      if (answer.kind === 'ok') log.info({ call_id: callId }, 'a pending recording was uploaded');
      else log.error({ call_id: callId, status: answer.status }, 'the API rejected a pending recording');
    }
  }

  private async waiting(now: number): Promise<{ path: string; ageMs: number }[]> {
    const found: { path: string; ageMs: number }[] = [];
    for (const name of await readdir(this.folder).catch(() => [])) {
      const path = join(this.folder, name);
      const ageMs = now - ((await stat(path).catch(() => null))?.mtimeMs ?? now);
      if (ageMs < OWN_ATTEMPTS_MS) continue;
      // Its writer has died.
      if (name.endsWith(UNFINISHED)) await rm(path, { recursive: true, force: true });
      else found.push({ path, ageMs });
    }
    return found;
  }
}

async function callOf(path: string): Promise<RecordedCall> {
  const stored: unknown = JSON.parse(await readFile(join(path, CALL), 'utf8'));
  const [callId, token] = [valueAt(stored, 'callId'), valueAt(stored, 'token')];
  return { callId: String(callId), token: String(token) };
}

/** Uploads recordings that conversations left on disk, including those from earlier runs of this worker. One pass runs at a time. */
export class RecordingUploads {
  private readonly timer: NodeJS.Timeout;
  private isUnderWay = false;

  constructor(
    private readonly pending: PendingRecordings,
    private readonly apiUrl: string,
    private readonly log: Log,
  ) {
    this.timer = setInterval(() => void this.pass(), PASS_EVERY_MS);
    this.timer.unref();
    void this.pass();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private async pass(): Promise<void> {
    if (this.isUnderWay) return;
    this.isUnderWay = true;
    try {
      await this.pending.upload(this.apiUrl, this.log);
    } catch (error) {
      this.log.error({ error: errorName(error) }, 'recordings on disk could not be uploaded');
    } finally {
      this.isUnderWay = false;
    }
  }
}
