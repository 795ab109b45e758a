/** The receiver's append-only log. The demo, the tests and the benchmark take their results from it and from the simulator's log. */
import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { readJsonLines } from '../json-lines';

/** A received delivery. It holds only ids, because names, numbers and transcripts must stay out of logs. */
export interface ReceiverEntry {
  at: string;
  path: string;
  event: string | null;
  event_id: string | null;
  /** The attempt number from the delivery's header, starting at 1; null if the header is missing. */
  attempt: number | null;
  call_id: string | null;
  campaign_id: string | null;
  /** True if both signatures are valid. */
  valid: boolean;
  /** Why the signatures are invalid; null if they are valid. */
  fault: string | null;
  /** `X-Service-Timestamp` and `X-Service-Signature` as received, so that tests can compare them with the body in the ledger. */
  timestamp: string | null;
  signature: string | null;
  /** The HTTP status that the receiver returned. */
  status: number;
}

interface ReceiverLog {
  /** Writes synchronously. A delivery that got status 200 is therefore in the log even if the process dies. */
  write(entry: ReceiverEntry): void;
}

export function openReceiverLog(path: string): ReceiverLog {
  mkdirSync(dirname(path), { recursive: true });
  return { write: (entry) => appendFileSync(path, `${JSON.stringify(entry)}\n`, { mode: 0o600 }) };
}

/** Returns the entries in the order received; none if the file doesn't exist. Skips an incomplete line. */
export function readReceiverLog(path: string): ReceiverEntry[] {
  return readJsonLines(path, isEntry);
}

/** Returns true if the receiver accepted the delivery and both signatures are valid. */
export function isAccepted(entry: ReceiverEntry): boolean {
  return entry.valid && entry.status >= 200 && entry.status < 300;
}

function isEntry(value: unknown): value is ReceiverEntry {
  return typeof value === 'object' && value !== null && 'event_id' in value && 'valid' in value;
}
