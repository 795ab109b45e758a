/**
 * Keeps the progress of a call in its room's metadata. LiveKit stores no such history, so a worker that looks up a call reads it there.
 */
import { isJsonObject, parsedJson } from '../../../domain/json';

export interface RoomRecord {
  v: 1;
  /** The deployment that created the room. The agent never changes it. */
  deployment: string | null;
  /** Null for an inbound call that has not been accepted yet. */
  call_id: string | null;
  /** ISO timestamps from the agent's clock. Null for events that have not happened. */
  dialing_at: string | null;
  ringing_at: string | null;
  answered_at: string | null;
  /** When the user left, followed by LiveKit's reason. */
  left_at: string | null;
  left_reason: string | null;
  /** Set when the agent ended the call: `agent`, `max_talk` or `no_answer`. */
  end_reason: string | null;
  /** Set when the phone never sent any audio. */
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

/** Reads a record, possibly written by an earlier agent. Returns an empty record when the text is not one. */
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

/** Writes the record to the room, one write at a time. Changes that arrive during a write are combined into the next one. */
export class RoomRecordWriter {
  private record: RoomRecord;
  private writing: Promise<void> | null = null;
  private isStale = false;

  /** If `save` fails, the record is missing, which has no other consequence. */
  constructor(
    metadata: string,
    private readonly save: (metadata: string) => Promise<void>,
  ) {
    this.record = readRoomRecord(metadata);
  }

  /** Never overwrites a value, because the first report of an event has the correct time. */
  set(facts: Partial<Omit<RoomRecord, 'v'>>): void {
    const known = Object.entries(this.record).filter(([, value]) => value !== null);
    const record = { ...this.record, ...facts, ...Object.fromEntries(known) };
    if (JSON.stringify(record) !== JSON.stringify(this.record)) this.change(record);
  }

  /** Clears the recorded end if the call did not end after all. */
  withdrawEnd(): void {
    this.change({ ...this.record, end_reason: null, no_audio: null });
  }

  /** Resolves when all changes were written or failed. */
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
    // Must run in the same tick as the last check, so that a later change starts a new write.
    this.writing = null;
  }
}
