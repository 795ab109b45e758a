import type { AnsweredBy, CarrierEndReason } from '../../workflows/domain/call-outcome';

/** One request to place a call. Numbers, names and prompts stay out of logs and of Temporal. */
export interface DialRequest {
  /** Our call id. Asking twice under one reference may place two calls: see `notAfter`. */
  reference: string;
  to: string;
  from: string | null;
  /** Past this instant of its own clock the carrier must not take the request up any more. */
  notAfter: Date;
  ringTimeoutS: number;
  maxTalkS: number;
  amd: boolean;
  agent: { name: string; greeting: string; prompt: string };
  variables: Record<string, unknown>;
}

export type DialAnswer =
  | { kind: 'placed'; carrierId: string }
  /** Certainly not placed: it may be asked again. */
  | { kind: 'notPlaced'; retryAfterMs: number | null }
  | { kind: 'invalidNumber' }
  /** Our request was wrong. `faults` names the fields, never their values. */
  | { kind: 'refused'; faults: string }
  /** The request may have been taken up: look it up. */
  | { kind: 'unknown' };

export interface CarrierCall {
  carrierId: string;
  reference: string;
  state: 'accepted' | 'dialing' | 'ringing' | 'answered' | 'ended';
  endReason: CarrierEndReason | null;
  answeredBy: AnsweredBy | null;
  dialingAt: string | null;
  ringingAt: string | null;
  answeredAt: string | null;
  endedAt: string | null;
  transcript: { speaker: 'agent' | 'user'; text: string; startMs: number; endMs: number }[];
}

export interface LookUp {
  calls: CarrierCall[];
  /** An instant of the carrier's clock that was reached when it answered; null where it tells none. */
  carrierTime: number | null;
}

/** What places calls. An implementation never retries by itself: the workflow does. */
export interface Telephony {
  dial(request: DialRequest): Promise<DialAnswer>;
  /** An instant that the carrier's clock has reached, as close to its present as can be known; ours where it tells none. */
  now(): Promise<number>;
  /**
   * The calls placed under a reference. A call may be missing for up to 2 s after it was accepted.
   * @throws CarrierUnreachable when the carrier gives no usable answer
   */
  find(reference: string): Promise<LookUp>;
  /** `over` also for a call the carrier does not know. */
  hangUp(carrierId: string): Promise<'ending' | 'over'>;
}

export class CarrierUnreachable extends Error {
  override name = 'CarrierUnreachable';
}

/** The longest that `notAfter` may lie ahead, and how long after it a placed call may still be missing from a look-up. */
export const TAKE_UP_MS = 3_000;
export const LOOK_UP_LAG_MS = 2_000;
