/** Reads chat messages that people type in a room, within limits on size, time and rate. */

/** Longer messages are truncated. */
const MAX_CHARACTERS = 4_000;
/** If a message takes longer to arrive, only the part received so far is used. */
const TIMEOUT_MS = 10_000;
/** Any further message is dropped. */
const MAX_AT_ONCE = 4;
const MAX_PER_MINUTE = 30;
const MINUTE_MS = 60_000;

/** A text stream of LiveKit's SDK. It is closed when the iteration stops early. */
export interface TextReader extends AsyncIterable<string> {
  close(): Promise<void>;
}

export class TypedMessages {
  private begunAt: number[] = [];
  private reading = 0;

  constructor(
    private readonly now: () => number = () => performance.now(),
    private readonly withinMs = TIMEOUT_MS,
  ) {}

  /** Returns null if the message is dropped or its sender disconnects in the middle of it. */
  async read(reader: TextReader): Promise<string | null> {
    const now = this.now();
    this.begunAt = this.begunAt.filter((at) => at > now - MINUTE_MS);
    if (this.reading >= MAX_AT_ONCE || this.begunAt.length >= MAX_PER_MINUTE) {
      await reader.close();
      return null;
    }
    this.begunAt.push(now);
    this.reading += 1;
    const timer = setTimeout(() => void reader.close(), this.withinMs);
    try {
      return await beginning(reader);
    } catch {
      // The sender disconnected in the middle of the message.
      return null;
    } finally {
      clearTimeout(timer);
      this.reading -= 1;
    }
  }
}

async function beginning(reader: TextReader): Promise<string> {
  let text = '';
  for await (const piece of reader) {
    text += piece.slice(0, MAX_CHARACTERS - text.length);
    if (text.length >= MAX_CHARACTERS) break;
  }
  return text;
}
