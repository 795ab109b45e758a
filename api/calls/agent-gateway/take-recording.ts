import type { IncomingMessage } from 'node:http';
import { storedCallContext, type StoredCallContext } from '../../../db/calls/call-context';
import { recordingKey, recordRecording } from '../../../db/calls/recordings';
import type { Db } from '../../../db/kernel/connection';
import { effectiveConfig } from '../../../domain/effective-config';
import { MAX_RECORDING_BYTES } from '../../../domain/recording';
import type { Clock } from '../../../runtime/clock';
import type { FileStorage } from '../../../runtime/storage/file-storage';
import type { ApiContext } from '../../http/context';
import {
  bodyTooLarge,
  callNotFound,
  invalidInput,
  recordingOff,
  unsupportedMediaType,
} from '../../http/errors/refusals';

const TYPES = { 'audio/wav': 'wav', 'audio/ogg': 'ogg' } as const;

export interface RecordingDependencies {
  db: Db;
  storage: FileStorage;
  clock: Clock;
}

/** Streams the recording to storage and then records it. A repeated upload replaces the first. Recordings of erased persons are removed. */
export async function takeRecording(
  { db, storage, clock }: RecordingDependencies,
  ctx: ApiContext,
  callId: string,
): Promise<void> {
  const contentType = ctx.is('audio/wav', 'audio/ogg');
  if (contentType !== 'audio/wav' && contentType !== 'audio/ogg') {
    throw unsupportedMediaType('audio/wav or audio/ogg');
  }
  if ((ctx.request.length ?? 0) > MAX_RECORDING_BYTES) throw bodyTooLarge(MAX_RECORDING_BYTES);
  const call = await storedCallContext(db, callId);
  if (call === undefined) throw callNotFound();
  if (!isRecorded(call)) throw recordingOff();
  const storageKey = recordingKey(callId, TYPES[contentType]);
  const bytes = await ctx.state.bodies.paced(ctx.req, () =>
    storage.putStream(storageKey, atMost(ctx.req, MAX_RECORDING_BYTES)),
  );
  if (await recordRecording(db, callId, { storageKey, contentType, bytes }, clock.now())) return;
  await storage.remove(storageKey);
  throw callNotFound();
}

/** An agent shouldn't upload a recording if recording is off. This check catches agents of another release and compromised ones. */
const isRecorded = ({ config, modifyAgent }: StoredCallContext): boolean =>
  effectiveConfig(config, modifyAgent).experience.settings.recording.enabled;

/** Throws once the body is too large. Keeps the request open then, so that the error response can still be sent. */
async function* atMost(request: IncomingMessage, maxBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  const chunks: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false });
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw bodyTooLarge(maxBytes);
    yield chunk;
  }
  if (bytes === 0) throw invalidInput([{ loc: ['body'], msg: 'is empty', type: 'audio.empty' }]);
}
