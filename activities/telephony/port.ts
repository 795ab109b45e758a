import type { SetupFault } from '../../domain/breakers';
import type { AnsweredBy, CarrierEndReason } from '../../domain/call-outcome';
import type { AnsweringAgent } from '../../domain/inbound-call';
import type { OrphanedBy } from '../../domain/orphaned-call';
import type { TranscriptSegment } from '../../domain/transcript';

/** A request to place a call. Its numbers, names and prompts must not reach logs or Temporal. */
export interface DialRequest {
  /** Our call id. Two requests with the same reference may place two calls (see `notAfter`). */
  reference: string;
  to: string;
  from: string | null;
  /** The carrier must not accept the request after this instant of its own clock. */
  notAfter: Date;
  ringTimeoutS: number;
  maxTalkS: number;
  amd: boolean;
  agent: AnsweringAgent;
  variables: Record<string, unknown>;
}

export type DialAnswer =
  /** `from` is the caller ID, if the carrier chose one and reported it. */
  | { kind: 'placed'; carrierId: string; from?: string | null }
  /** The call was certainly not placed, so the dial can be retried. */
  | { kind: 'notPlaced'; retryAfterMs: number | null; because?: 'bridge_busy' | SetupFault }
  | { kind: 'invalidNumber' }
  /** The request was invalid. `faults` names the fields, never their values. */
  | { kind: 'refused'; faults: string; because?: SetupFault }
  /** The carrier may have accepted the request. Look the call up. */
  | { kind: 'unknown' };

/** States of a call at the carrier, as defined in `docs/carrier.md`. */
export const CARRIER_STATES = ['accepted', 'dialing', 'ringing', 'answered', 'ended'] as const;
type CarrierState = (typeof CARRIER_STATES)[number];

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
  /** True for a `dropped` call whose phone sent no audio packet. */
  noAudio?: boolean;
  /** The caller ID in E.164. Null if the carrier doesn't report it. */
  fromNumber?: string | null;
}

export interface LookUp {
  calls: CarrierCall[];
  /** The carrier's clock when it answered, or shortly before. Null if the answer doesn't reveal it. */
  carrierTime: number | null;
  /** How long after `notAfter` a placed call may still be missing from a look-up. */
  lagMs: number;
  /** If true, a placed call that is missing is over, because the carrier never forgets a live call. */
  goneMeansOver: boolean;
  /** Set if the call is orphaned because its phone or its agent is gone. */
  orphanedBy?: OrphanedBy | null;
}

/**
 * State of an orphaned call's phone. `talks`: it is back with its agent. `released`: it came back without an agent and was hung up.
 * `isAnswered` is the carrier's report. `wasAnswered`: the phone had been answered before it was lost.
 */
export type Retrieved =
  | { kind: 'absent'; wasAnswered?: boolean }
  | { kind: 'talks' }
  | { kind: 'released'; isAnswered: boolean | null };

/** A call or session that the carrier lists. */
export interface HeldCall {
  carrierId: string;
  /** Our call id. Null if the carrier does not know it. */
  reference: string | null;
  /** Milliseconds since the epoch by the carrier's clock. */
  heldSince: number;
  /** The carrier's data proves that the call is ours. If false, it is ours only if we have a record of it. */
  isMarked: boolean;
}

/** A route for inbound calls. */
export interface InboundRoute {
  /** The called number, in E.164. */
  number: string;
  /** Used by a carrier that holds the conversation itself. The agent's own variables are already filled in. */
  agent: AnsweringAgent;
}

/**
 * `notYet`: an agent may still join. `noAgent`: no agent joined in time, for example because all are busy. `unavailable`: the carrier
 * failed. `refused`: the carrier rejects our API key.
 */
export type Readiness = 'ready' | 'unavailable' | 'notYet' | 'noAgent' | 'refused';

/**
 * `ending`: the end will be reported. `ended`: the call is over now. `over`: the call was already over or is unknown. `orphaned`: the phone
 * could not be reached and may still be ringing or connected.
 */
export type HangUpAnswer = 'ending' | 'ended' | 'over' | 'orphaned';

/** Interface to a carrier. Implementations must not retry, because the workflow does. */
export interface Telephony {
  /** Returns whether this call or session needs `prepare` before the dial. Sends no request. */
  preparesFirst(reference: string): boolean;
  /**
   * Prepares a room with a ready agent, which can take some seconds. After `noAgent` or `unavailable`, a retry may succeed. With `waitMs`,
   * it waits at most that long for the agent. If one may still join then, it returns `notYet` and keeps the room.
   */
  prepare(reference: string, options?: { waitMs: number }): Promise<{ kind: Readiness }>;
  /** Undoes `prepare`, unless a call exists after all. Never rejects, and `held` lists anything that remains. */
  release(reference: string): Promise<void>;
  /** Opens a browser session in the prepared room, which the participant then joins. A repeated request returns the same session. */
  createSession(session: { reference: string }): Promise<Exclude<DialAnswer, { kind: 'invalidNumber' }>>;
  dial(request: DialRequest): Promise<DialAnswer>;
  /** Returns whether a dial must name a caller ID. Sends no request. */
  needsCallerId(reference: string): boolean;
  /** Returns how long after the intent a request may still lead to a call. Sends no request. */
  pendingDialMs(reference: string): number;
  /** Returns an instant that the carrier's clock has certainly reached, or our own time if the carrier's is unknown. */
  now(): Promise<number>;
  /**
   * Returns the calls with a reference. A new call may be missing for a while (`lagMs`).
   * @throws CarrierUnreachable if the carrier gives no usable answer
   */
  find(reference: string): Promise<LookUp>;
  hangUp(carrierId: string): Promise<HangUpAnswer>;
  /** Searches for the phone of an orphaned call, and hangs it up if it is back without its agent. Throws like `find`. */
  retrieve(reference: string): Promise<Retrieved>;
  /** Lists our live and leftover calls. Returns nothing if the carrier cannot list them. Throws like `find`. */
  held(): Promise<HeldCall[]>;
  /**
   * Routes a number's inbound calls to us. Replaces the number's previous route. Safe to repeat.
   * @throws CarrierUnreachable if a retry may succeed, otherwise RouteRefused
   */
  setInboundRoute(route: InboundRoute): Promise<void>;
  /** Does nothing if there is no route. Throws like `setInboundRoute`. */
  removeInboundRoute(number: string): Promise<void>;
}

export class CarrierUnreachable extends Error {
  override name = 'CarrierUnreachable';
}

/** The carrier rejects the route, and a retry will not help. The message contains no number. */
export class RouteRefused extends Error {
  override name = 'RouteRefused';
}

/** Maximum time from the request to `notAfter`. */
export const TAKE_UP_MS = 3_000;
