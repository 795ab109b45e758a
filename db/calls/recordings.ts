/** Database rows of recordings. The audio files are in the storage. */
import type { Db } from '../kernel/connection';
import { firstRow, rows, timestamp } from '../kernel/query';
import { inMonthsOf } from './months';

const FORMATS = ['wav', 'ogg'] as const;
type RecordingFormat = (typeof FORMATS)[number];

export function recordingKey(callId: string, format: RecordingFormat): string {
  return `recordings/${callId}.${format}`;
}

/** Returns every key under which the storage may have a recording of the call. */
export const recordingKeys = (callId: string): string[] =>
  FORMATS.map((format) => recordingKey(callId, format));

export interface Recording {
  storageKey: string;
  contentType: string;
  bytes: number;
  storedAt: Date;
}

/**
 * Stores the row of a recording whose file is already stored. A later report replaces it. Returns false if the person was erased or the
 * retention period is over. Delete the file in that case.
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
     select call_id, :storageKey, :contentType, :bytes::bigint, :now::timestamptz from all_calls k join organizations c on c.id = k.organization_id
     where call_id = :callId and ${inMonthsOf('k', 'array[:callId]')} and erased_at is null
       and coalesce(ended_at > :now::timestamptz - make_interval(days => recordings_days), true) for share of k
     on conflict (call_id) do update set storage_key = excluded.storage_key, content_type = excluded.content_type,
       bytes = excluded.bytes, stored_at = excluded.stored_at returning 1`,
    { callId, storageKey, contentType, bytes, now: timestamp(now) },
  );
  return stored.length > 0;
}

/**
 * Returns undefined for a call of another organization. `recording` is null if there is none. Pass a null `organizationId` only for signed
 * URLs.
 */
export async function findRecording(
  db: Db,
  callId: string,
  organizationId: string | null,
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
     where k.call_id = :callId and ${inMonthsOf('k', 'array[:callId]')} and (:organizationId::uuid is null or k.organization_id = :organizationId::uuid)`,
    { callId, organizationId },
  );
  if (row === undefined) return undefined;
  const { storageKey, bytes, ...rest } = row;
  return { recording: storageKey === null ? null : { ...rest, storageKey, bytes: Number(bytes) } };
}
