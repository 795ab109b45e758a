import type { SetupFault } from '../../domain/brakes';
import type { AnsweredBy, CarrierEndReason } from '../../domain/call-outcome';
import type { AnsweringAgent } from '../../domain/inbound-call';
import type { StrandedBy } from '../../domain/stranded-call';
import type { TranscriptSegment } from '../../domain/transcript';

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
  agent: AnsweringAgent;
  variables: Record<string, unknown>;
}

export type DialAnswer =
  /** `from`: which number is shown, where the carrier chose it and says so. */
  | { kind: 'placed'; carrierId: string; from?: string | null }
  /** Certainly not placed: it may be asked again. */
  | { kind: 'notPlaced'; retryAfterMs: number | null; because?: 'bridge_busy' | SetupFault }
  | { kind: 'invalidNumber' }
  /** Our request was wrong. `faults` names the fields, never their values. */
  | { kind: 'refused'; faults: string; because?: SetupFault }
  /** The request may have been taken up: look it up. */
  | { kind: 'unknown' };

/** Where a call stands at the carrier, as `docs/carrier.md` names it. */
export const CARRIER_STATES = ['accepted', 'dialing', 'ringing', 'answered', 'ended'] as const;
export type CarrierState = (typeof CARRIER_STATES)[number];

export interface CarrierCall {
  carrierId: string;
  reference: string;
  state: CarrierState;
  endReason: CarrierEndReason | null;
  answeredBy: AnsweredBy | null;
  dialingAt: string | null;
  ringingAt: string | null;
  answeredAt: string | null;
  endedAt: string | null;
  transcript: TranscriptSegment[];
  /** Of a `dropped` call: not a packet of audio came from its phone. */
  noAudio?: boolean;
  /** The number that is shown, E.164; null where the carrier doesn't say. */
  fromNumber?: string | null;
}

export interface LookUp {
  calls: CarrierCall[];
  /** An instant of the carrier's clock that was reached when it answered; null where the answer names none. */
  carrierTime: number | null;
  /** How long after `notAfter` a placed call may still be missing from an answer. */
  lagMs: number;
  /** A call that was placed and is missing from an answer is over: the carrier forgets none that is live. */
  goneMeansOver: boolean;
  /** Its phone, or the agent that talks to it, is not there: nobody could hang it up, or nobody talks to it. Null unless set. */
  strandedBy?: StrandedBy | null;
}

/**
 * What became of the phone of a stranded call. `talks`: it is with its agent. `released`: it had come back without one, and was hung up;
 * `isAnswered` is what the carrier says of it, null where it does not. `wasAnswered`: it was before it was lost.
 */
export type Retrieved =
  | { kind: 'away'; wasAnswered?: boolean }
  | { kind: 'talks' }
  | { kind: 'released'; isAnswered: boolean | null };

/** A call or session that the carrier holds, as it names it. */
export interface HeldCall {
  carrierId: string;
  /** Null where the carrier does not know whose it is. */
  reference: string | null;
  /** Milliseconds since the epoch, by the carrier's clock. */
  heldSince: number;
  /** Whether the carrier shows that it is ours. Else it is ours only where we know the call. */
  isMarked: boolean;
}

/** Whose calls come to us, and who answers them where the carrier speaks itself. */
export interface InboundRoute {
  /** One of ours, E.164. */
  number: string;
  /** Variables are filled in, as far as the agent has them. */
  agent: AnsweringAgent;
}

/** `notYet`: it may still come. `refused`: the carrier does not accept our key. */
export type Readiness = 'ready' | 'unavailable' | 'notYet' | 'refused';

/**
 * `ending`: its end will be reported. `ended`: it is over with this answer. `over`: it was before, or the carrier does not know it.
 * `stranded`: the phone could not be reached, and may ring or be connected.
 */
export type HangUpAnswer = 'ending' | 'ended' | 'over' | 'stranded';

/** What places calls. An implementation never retries by itself: the workflow does. */
export interface Telephony {
  /** Whether a call or session under this reference needs `prepare` before it may be asked for. Asks nobody. */
  preparesFirst(reference: string): boolean;
  /**
   * What must stand before the phone may ring, or the browser be met: a room, and an agent ready in it. Takes some seconds; what takes longer is
   * `unavailable`, and may be there when it is asked for again. `isBrief`: waits half a second at most for the agent and undoes nothing; it is
   * `notYet` where one may still come.
   */
  prepare(reference: string, options?: { isBrief: boolean }): Promise<{ kind: Readiness }>;
  /** Undoes `prepare` where no call follows. A call that is there after all stays. Never fails: what remains is among `held`. */
  release(reference: string): Promise<void>;
  /** Opens a browser session, whose participant joins by itself, in what was prepared. Asked for again it is the same session. */
  createSession(session: { reference: string }): Promise<Exclude<DialAnswer, { kind: 'invalidNumber' }>>;
  dial(request: DialRequest): Promise<DialAnswer>;
  /** Whether a dial under this reference is refused unless it names the number that is shown. Asks nobody. */
  needsCallerId(reference: string): boolean;
  /** For how long after its intent a request under this reference may come to a call of which nothing has been seen. Asks nobody. */
  settlesMs(reference: string): number;
  /** An instant that the carrier's clock has reached, as close to its present as can be known; ours where it shows none. */
  now(): Promise<number>;
  /**
   * The calls placed under a reference. A call may be missing for a while after it was accepted (`lagMs`).
   * @throws CarrierUnreachable when the carrier gives no usable answer
   */
  find(reference: string): Promise<LookUp>;
  hangUp(carrierId: string): Promise<HangUpAnswer>;
  /** Looks for the phone of a stranded call, and hangs it up where it is back without its agent. Throws as `find` does. */
  retrieve(reference: string): Promise<Retrieved>;
  /** All that the carrier holds of ours, live or left over; nothing where it cannot list them. Throws as `find` does. */
  held(): Promise<HeldCall[]>;
  /**
   * Callers of the number are announced to us from now on, in place of whatever was set for it before. Setting it again is no fault.
   * @throws CarrierUnreachable when it may succeed later, RouteRefused when it will not
   */
  setInboundRoute(route: InboundRoute): Promise<void>;
  /** Removing what is not there is no fault. Throws as `setInboundRoute` does. */
  removeInboundRoute(number: string): Promise<void>;
}

export class CarrierUnreachable extends Error {
  override name = 'CarrierUnreachable';
}

/** The carrier will not route the number, however often it is asked. The message names no number. */
export class RouteRefused extends Error {
  override name = 'RouteRefused';
}

/** The longest that `notAfter` may lie ahead. */
export const TAKE_UP_MS = 3_000;
