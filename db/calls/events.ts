import type { AnsweredBy } from '../../domain/call-outcome';
import type { TranscriptSegment } from '../../domain/transcript';
import type { Db } from '../kernel/connection';
import { firstRow, onlyRow, prepared, timestamp } from '../kernel/query';

/** A carrier's report on a live call. Reports can arrive late, repeatedly and in any order. */
export interface ProgressEvent {
  reference: string;
  carrierId: string;
  type: 'dialing' | 'ringing' | 'answered' | 'segment';
  at: string;
  answeredBy?: AnsweredBy;
  /** Caller ID that the callee sees, in E.164. */
  fromNumber?: string | null;
  segment?: FinalSegment;
}

/** A final segment of the transcript, identified by speaker and start. Only the first report of a segment is stored. */
export interface FinalSegment extends TranscriptSegment {
  /** The caller or callee interrupted it. */
  interrupted?: boolean;
  /** 0 to 1. */
  confidence?: number | null;
  language?: string | null;
}

/** An event whose time was impossible, so that our own time replaced it. */
export interface EventOfCall {
  callId: string;
  type: string;
}

/** Called for each event whose time was replaced. */
export type OnReplacedTime = (event: EventOfCall) => void;

const APPLY_PROGRESS = prepared(
  'apply_progress',
  'select apply_progress(:events, :now, :creditsPerMinute) as replaced',
);

/** Applies a batch of events. Impossible times are replaced by `now`. The transaction is in `db/functions/apply_progress.sql`. */
export async function applyProgress(
  db: Db,
  events: readonly ProgressEvent[],
  {
    now,
    creditsPerMinute,
    onReplacedTime,
  }: { now: number; creditsPerMinute: number; onReplacedTime?: OnReplacedTime },
): Promise<void> {
  const { replaced } = await onlyRow<{ replaced: EventOfCall[] }>(db, APPLY_PROGRESS, {
    events: JSON.stringify(events.map(storableEvent)),
    now: timestamp(now),
    creditsPerMinute,
  });
  for (const event of replaced) onReplacedTime?.(event);
}

interface BelievedTime {
  at: number;
  isReplaced: boolean;
}

/** Returns the time of another report on the call. Returns undefined for unknown and archived calls. */
export async function believedTime(
  db: Db,
  callId: string,
  { reportedAt, now }: { reportedAt: string; now: number },
): Promise<BelievedTime | undefined> {
  const reported = storableTime(reportedAt);
  const found = await firstRow<{ at: Date }>(
    db,
    'select believed_time(:reported, earliest_event(k), :now) as at from calls k where call_id = :callId',
    { callId, reported, now: timestamp(now) },
  );
  if (found === undefined) return undefined;
  const at = found.at.getTime();
  return { at, isReplaced: at !== Date.parse(reported) };
}

export const storableEvent = (event: ProgressEvent): ProgressEvent => ({
  ...event,
  at: storableTime(event.at),
});

const YEAR_10000_MS = Date.UTC(10_000);

/** Times that Postgres can't read become 1970, which is as impossible. */
export function storableTime(at: string): string {
  const ms = Date.parse(at);
  return timestamp(ms >= 0 && ms < YEAR_10000_MS ? ms : 0);
}
