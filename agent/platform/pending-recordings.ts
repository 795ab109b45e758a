/** Keeps recordings on this machine's disk until the platform has them. They survive outages and crashes, and are uploaded later. */
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
/** The conversation's own process tries first. Its last attempt can begin a minute after the recording ends. */
const OWN_ATTEMPTS_MS = RECORDING_UPLOAD_MS + 2 * 60_000;
const PASS_EVERY_MS = 30_000;

/** The call that was recorded, and the token for uploading its recording. */
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

  /** Writes and flushes the recording, which only this user can read. On failure, rejects and deletes what was written. */
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

  /** Uploads recordings whose conversation process has stopped trying. Ends early when the platform is unavailable. */
  async upload(apiUrl: string, log: Log, now = Date.now()): Promise<void> {
    // Random order, so that one recording that always fails can't block the others.
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
      // The process that was writing this recording has died.
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

/**
 * Periodically uploads recordings that conversations left on disk, including those from earlier runs of this worker. Only one pass runs at
 * a time.
 */
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
