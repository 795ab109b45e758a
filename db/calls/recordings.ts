/** Where the recording of a call is kept. The audio itself is the storage's. */
import type { Db } from '../kernel/connection';
import { firstRow, rows, timestamp } from '../kernel/query';
import { inMonthsOf } from './months';

const FORMATS = ['wav', 'ogg'] as const;
export type RecordingFormat = (typeof FORMATS)[number];

export function recordingKey(callId: string, format: RecordingFormat): string {
  return `recordings/${callId}.${format}`;
}

/** All under which the storage may have one of a call, whether it is recorded or not. */
export const recordingKeys = (callId: string): string[] =>
  FORMATS.map((format) => recordingKey(callId, format));

export interface Recording {
  storageKey: string;
  contentType: string;
  bytes: number;
  storedAt: Date;
}

/**
 * Once it is stored: from now on the call has it. Reported again, the latest stands. False where the call's person was erased, or its time
 * of retention is over, which no later run looks at again: then the file must go again. An erasing that goes on is waited for.
 */
export async function recordRecording(
  db: Db,
  callId: string,
  { storageKey, contentType, bytes }: Omit<Recording, 'storedAt'>,
  now: number,
): Promise<boolean> {
  const stored = await rows(
    db,
    `insert into recordings (call_id, storage_key, content_type, bytes, stored_at)
     select call_id, :storageKey, :contentType, :bytes::bigint, :now::timestamptz from all_calls k join clients c on c.id = k.client_id
     where call_id = :callId and ${inMonthsOf('k', 'array[:callId]')} and erased_at is null
       and coalesce(ended_at > :now::timestamptz - make_interval(days => recordings_days), true) for share of k
     on conflict (call_id) do update set storage_key = excluded.storage_key, content_type = excluded.content_type,
       bytes = excluded.bytes, stored_at = excluded.stored_at returning 1`,
    { callId, storageKey, contentType, bytes, now: timestamp(now) },
  );
  return stored.length > 0;
}

/** Undefined for a call that is not the client's; `recording` is null where it has none. Without a client only for a signed address. */
export async function findRecording(
  db: Db,
  callId: string,
  clientId: string | null,
): Promise<{ recording: Recording | null } | undefined> {
  const row = await firstRow<{
    storageKey: string | null;
    contentType: string;
    bytes: string;
    storedAt: Date;
  }>(
    db,
    `select r.storage_key as "storageKey", r.content_type as "contentType", r.bytes, r.stored_at as "storedAt"
     from all_calls k left join recordings r on r.call_id = k.call_id
     where k.call_id = :callId and ${inMonthsOf('k', 'array[:callId]')} and (:clientId::uuid is null or k.client_id = :clientId::uuid)`,
    { callId, clientId },
  );
  if (row === undefined) return undefined;
  const { storageKey, bytes, ...rest } = row;
  return { recording: storageKey === null ? null : { ...rest, storageKey, bytes: Number(bytes) } };
}
