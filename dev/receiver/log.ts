/** The receiver's append-only log: with the simulator's, what the demo, the tests and the benchmark judge by. */
import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { readJsonLines } from '../json-lines';

/** One delivery received. Ids only: names, numbers and transcripts stay out of logs. */
export interface ReceiverEntry {
  at: string;
  path: string;
  event: string | null;
  event_id: string | null;
  /** As the delivery's own header counts, from 1; null where it says nothing. */
  attempt: number | null;
  call_id: string | null;
  campaign_id: string | null;
  /** Both signatures hold. */
  valid: boolean;
  /** Why not. */
  fault: string | null;
  /** `X-Service-Timestamp` and `X-Service-Signature` as received, for who holds them against the body in the ledger. */
  timestamp: string | null;
  signature: string | null;
  /** What it was answered. */
  status: number;
}

export interface ReceiverLog {
  /** Written when it returns: what was answered 200 is in the log whatever happens to the process. */
  write(entry: ReceiverEntry): void;
}

export function openReceiverLog(path: string): ReceiverLog {
  mkdirSync(dirname(path), { recursive: true });
  return { write: (entry) => appendFileSync(path, `${JSON.stringify(entry)}\n`, { mode: 0o600 }) };
}

/** In the order received; none where there is no file yet. A torn line is passed over. */
export function readReceiverLog(path: string): ReceiverEntry[] {
  return readJsonLines(path, isEntry);
}

/** Accepted with valid signatures, so that nothing of it counts that we would not have believed. */
export function isAccepted(entry: ReceiverEntry): boolean {
  return entry.valid && entry.status >= 200 && entry.status < 300;
}

function isEntry(value: unknown): value is ReceiverEntry {
  return typeof value === 'object' && value !== null && 'event_id' in value && 'valid' in value;
}
