/**
 * The progress of a call, kept in its room's metadata. LiveKit stores no such history, so a worker that looks up a dial reads it from
 * there.
 */
import { isJsonObject, parsedJson } from '../../../domain/json';

export interface RoomRecord {
  v: 1;
  /** The deployment that created the room; kept as found. */
  deployment: string | null;
  /** Null for an inbound call that is not accepted yet. */
  call_id: string | null;
  /** ISO timestamps by the agent's clock; null for events that have not happened. */
  dialing_at: string | null;
  ringing_at: string | null;
  answered_at: string | null;
  /** When the user left, and LiveKit's reason. */
  left_at: string | null;
  left_reason: string | null;
  /** Set when the agent ended the call: `agent`, `max_talk` or `no_answer`. */
  end_reason: string | null;
  /** Set when no audio was received from the phone. */
  no_audio: true | null;
}

const EMPTY: RoomRecord = {
  v: 1,
  deployment: null,
  call_id: null,
  dialing_at: null,
  ringing_at: null,
  answered_at: null,
  left_at: null,
  left_reason: null,
  end_reason: null,
  no_audio: null,
};

/** Reads a record that an earlier agent may have written. Returns an empty one when the text is not a record. */
export function readRoomRecord(metadata: string): RoomRecord {
  const read = parsedJson(metadata);
  if (!isJsonObject(read) || read.v !== 1) return { ...EMPTY };
  const text = (key: keyof RoomRecord): string | null => {
    const value = read[key];
    return typeof value === 'string' ? value : null;
  };
  return {
    v: 1,
    deployment: text('deployment'),
    call_id: text('call_id'),
    dialing_at: text('dialing_at'),
    ringing_at: text('ringing_at'),
    answered_at: text('answered_at'),
    left_at: text('left_at'),
    left_reason: text('left_reason'),
    end_reason: text('end_reason'),
    no_audio: read.no_audio === true || null,
  };
}

/** Writes one version at a time. When several changes arrive during a write, only the latest version is written. */
export class RoomRecordWriter {
  private record: RoomRecord;
  private writing: Promise<void> | null = null;
  private isStale = false;

  /** `save` may fail; the only consequence is a missing record. */
  constructor(
    metadata: string,
    private readonly save: (metadata: string) => Promise<void>,
  ) {
    this.record = readRoomRecord(metadata);
  }

  /** Keeps values that are already set, because the first report of a time is the right one. */
  set(facts: Partial<Omit<RoomRecord, 'v'>>): void {
    const known = Object.entries(this.record).filter(([, value]) => value !== null);
    const record = { ...this.record, ...facts, ...Object.fromEntries(known) };
    if (JSON.stringify(record) !== JSON.stringify(this.record)) this.change(record);
  }

  /** Clears the recorded end, which did not happen after all. */
  withdrawEnd(): void {
    this.change({ ...this.record, end_reason: null, no_audio: null });
  }

  /** Resolves when every change is written or has failed. */
  async written(): Promise<void> {
    await this.writing;
  }

  private change(record: RoomRecord): void {
    this.record = record;
    this.isStale = true;
    this.writing ??= this.write();
  }

  private async write(): Promise<void> {
    while (this.isStale) {
      this.isStale = false;
      await this.save(JSON.stringify(this.record)).catch(() => undefined);
    }
    // Must happen in the same tick, so that a later change starts its own write.
    this.writing = null;
  }
}
