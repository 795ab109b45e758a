/**
 * What became of a call, kept in the metadata of its room: LiveKit itself remembers nothing of it, and who comes later, such as a worker
 * that asks what became of the dial, reads it there.
 */
import { isJsonObject } from '../../../workflows/domain/json';

export interface RoomRecord {
  v: 1;
  /** Null for an inbound call that is not accepted yet. */
  call_id: string | null;
  /** ISO instants by the agent's clock; null for what has not happened. */
  dialing_at: string | null;
  ringing_at: string | null;
  answered_at: string | null;
  /** When the other side left, and what LiveKit gives as the reason. */
  left_at: string | null;
  left_reason: string | null;
  /** Where the agent ended it: `agent`, `max_talk` or `no_answer`. */
  end_reason: string | null;
}

const NOTHING: RoomRecord = {
  v: 1,
  call_id: null,
  dialing_at: null,
  ringing_at: null,
  answered_at: null,
  left_at: null,
  left_reason: null,
  end_reason: null,
};

/** What an agent before this one may have noted; nothing where the text is no record. */
export function readRoomRecord(metadata: string): RoomRecord {
  const read = parsed(metadata);
  if (!isJsonObject(read) || read.v !== 1) return { ...NOTHING };
  const text = (key: keyof RoomRecord): string | null => {
    const value = read[key];
    return typeof value === 'string' ? value : null;
  };
  return {
    v: 1,
    call_id: text('call_id'),
    dialing_at: text('dialing_at'),
    ringing_at: text('ringing_at'),
    answered_at: text('answered_at'),
    left_at: text('left_at'),
    left_reason: text('left_reason'),
    end_reason: text('end_reason'),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Writes the record one change after the other; of changes that come while one is written, the latest text stands for all. */
export class RoomRecordWriter {
  private record: RoomRecord;
  private writing: Promise<void> | null = null;
  private isStale = false;

  /** `save` may fail: a record that is missing is looked for in vain, and nothing else. */
  constructor(
    metadata: string,
    private readonly save: (metadata: string) => Promise<void>,
  ) {
    this.record = readRoomRecord(metadata);
  }

  /** What was noted before stands: the first telling of an instant is the true one. */
  set(facts: Partial<Omit<RoomRecord, 'v'>>): void {
    const known = Object.entries(this.record).filter(([, value]) => value !== null);
    const record = { ...this.record, ...facts, ...Object.fromEntries(known) };
    if (JSON.stringify(record) === JSON.stringify(this.record)) return;
    this.record = record;
    this.isStale = true;
    this.writing ??= this.write();
  }

  /** Resolves when what was noted is written, or could not be. */
  async settled(): Promise<void> {
    await this.writing;
  }

  private async write(): Promise<void> {
    while (this.isStale) {
      this.isStale = false;
      await this.save(JSON.stringify(this.record)).catch(() => undefined);
    }
    // At once: what is noted from now on needs a writing of its own.
    this.writing = null;
  }
}
