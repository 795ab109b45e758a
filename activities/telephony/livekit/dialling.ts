/**
 * Dials a SIP call with one request. LiveKit responds only when the callee answers or the call fails. `dialOverSip()` returns as soon as
 * the callee's leg is in the room, and `onOutcome` gets LiveKit's response. If the worker dies, LiveKit's webhooks report the outcome less
 * exactly.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { SIPOutboundConfig, SIPTransport } from '@livekit/protocol';
import type { SipClient, SIPParticipantInfo } from 'livekit-server-sdk';
import { assertNever } from '../../../domain/assert-never';
import type { SetupFault } from '../../../domain/breakers';
import type { CarrierEndReason } from '../../../domain/call-outcome';
import type { DialAnswer, DialRequest } from '../port';
import { dialClient, type LiveKitClients, type LiveKitOptions, type SipTrunk } from './clients';
import { dialFault, nameOf, wordsOf, type DialFault } from './fault';
import { legState, personIn, SHOWN_NUMBER_ATTRIBUTE } from '../../../domain/room-participants';

/** Participant identity of the callee. Each call has its own room. */
const CALLEE = 'callee';

const FIRST_SIGN_WITHIN_MS = 5_000;
const CHECK_EVERY_MS = 100;
/** LiveKit waits at most 80 s for an answer, including the bridge's join. */
const LONGEST_RING_S = 70;
/** How long after the ring timeout the bridge may take to report the result. */
const REPORT_WITHIN_S = 15;
/** Added to the talk-time limit that LiveKit itself enforces. It only matters if the agent fails to enforce its own limit. */
const TALK_MARGIN_S = 10;
/** Tolerance between our clock and the bridge's. */
const RANG_OUT_MARGIN_MS = 1_000;
/** Check the leg this long before the ring timeout, because it leaves the room afterwards. */
const CHECK_BEFORE_END_MS = 2_000;

export type SipOutcome =
  | { kind: 'answered' }
  /** The ring timeout passed. `hasRung` is null if unknown: to the bridge, an unresponsive trunk looks like a ringing phone. */
  | { kind: 'rangOut'; hasRung: boolean | null }
  | { kind: 'ended'; endReason: CarrierEndReason; because?: SetupFault };

type Held = SipOutcome | Extract<DialAnswer, { kind: 'notPlaced' | 'unknown' }>;

type LogLine = (fields: Record<string, unknown>, sentence: string) => void;
export type DialLog = Record<'info' | 'warn', LogLine>;

export interface DialParts {
  options: LiveKitOptions;
  clients: LiveKitClients;
  log: DialLog;
  /** How long to wait for the first sign of the call in the room. Default: 5 s. */
  firstSignWithinMs?: number;
  /** Called once for each accepted call, unless this process ends first. Must handle its own failures. */
  onOutcome: (reference: string, outcome: SipOutcome) => Promise<void>;
}

export async function dialOverSip(
  parts: DialParts,
  trunk: SipTrunk,
  request: DialRequest,
): Promise<DialAnswer> {
  // An inline trunk has no numbers to choose from.
  if (trunk.kind === 'inline' && request.from === null) return { kind: 'refused', faults: 'from' };
  const { reference } = request;
  const sip = await dialClient(parts.options, request.notAfter);
  const held = hold(parts, sip, trunk, request);
  const answer = await firstSign(parts, reference, held);
  void held.then((outcome) => {
    const reported = answer.kind === 'notPlaced' ? outcome : asPlaced(outcome);
    return isReported(reported) ? parts.onOutcome(reference, reported) : undefined;
  });
  return answer;
}

/** Turns `notPlaced` into an end, because the leg was already in the room when the bridge failed to call the trunk. */
function asPlaced(outcome: Held): Held {
  if (outcome.kind !== 'notPlaced' || outcome.because !== 'trunk_address') return outcome;
  return { kind: 'ended', endReason: 'carrier_failure', because: outcome.because };
}

/** Excludes ends that the platform caused. The process that hung up reports them, because it knows the reason. */
const isReported = (outcome: Held): outcome is SipOutcome =>
  outcome.kind === 'answered' ||
  outcome.kind === 'rangOut' ||
  (outcome.kind === 'ended' && outcome.endReason !== 'platform');

/** Sends the request and waits for LiveKit's response. Never rejects. */
async function hold(
  { log, clients }: DialParts,
  sip: SipClient,
  trunk: SipTrunk,
  request: DialRequest,
): Promise<Held> {
  const sentAtMs = performance.now();
  const over = new AbortController();
  const hasRung = ringsAtLast(clients, request, over.signal);
  try {
    await placeCall(sip, trunk, request);
    return { kind: 'answered' };
  } catch (error) {
    over.abort();
    const fault = dialFault(error);
    const rungMs = performance.now() - sentAtMs;
    const write = fault.kind === 'sip' || fault.kind === 'rangOut' ? 'info' : 'warn';
    log[write](
      {
        call_id: request.reference,
        fault: fault.kind,
        reason: reasonOf(fault),
        error: nameOf(error),
        // Omit the trunk's own text, which may contain the callee's number.
        said: fault.kind === 'sip' ? undefined : wordsOf(error),
      },
      'a call over LiveKit was not answered',
    );
    return heldFault(fault, { rungMs, ringMs: ringMsOf(request), hasRung: await hasRung });
  } finally {
    over.abort();
  }
}

function reasonOf(fault: DialFault): string | number | undefined {
  if (fault.kind === 'sip') return fault.status;
  return 'reason' in fault ? fault.reason : undefined;
}

interface Ringing {
  rungMs: number;
  ringMs: number;
  hasRung: boolean | null;
}

const ringMsOf = ({ ringTimeoutS }: DialRequest): number => Math.min(ringTimeoutS, LONGEST_RING_S) * 1000;

/** Returns whether the leg was marked as ringing (after a 180 or 183) shortly before the ring timeout. Null if unknown. */
async function ringsAtLast(
  { rooms }: LiveKitClients,
  request: DialRequest,
  over: AbortSignal,
): Promise<boolean | null> {
  const ringMs = ringMsOf(request);
  try {
    await sleep(Math.max(ringMs / 2, ringMs - CHECK_BEFORE_END_MS), null, { signal: over });
    const leg = personIn(await rooms.listParticipants(request.reference));
    return leg === undefined ? null : legState(leg) !== 'dialing';
  } catch {
    return null;
  }
}

function heldFault(fault: DialFault, { rungMs, ringMs, hasRung }: Ringing): Held {
  switch (fault.kind) {
    case 'sip':
      return ended(endReasonOfSip(fault.status), setupFaultOfSip(fault.status));
    case 'rangOut': {
      // The bridge reports the same fault if we close the room early.
      const isCutShort = rungMs + RANG_OUT_MARGIN_MS < ringMs;
      return isCutShort ? { kind: 'ended', endReason: 'platform' } : { kind: 'rangOut', hasRung };
    }
    case 'hungUp':
      return { kind: 'ended', endReason: 'platform' };
    case 'failed':
      return ended('carrier_failure', fault.because);
    case 'notPlaced': {
      const { retryAfterMs, because } = fault;
      return { kind: 'notPlaced', retryAfterMs, ...(because !== undefined && { because }) };
    }
    case 'unknown':
      return { kind: 'unknown' };
    default:
      return assertNever(fault);
  }
}

const ended = (endReason: CarrierEndReason, because: SetupFault | undefined): Held => ({
  kind: 'ended',
  endReason,
  ...(because !== undefined && { because }),
});

/** Waits for the callee's leg to appear in the room, or for an earlier result. */
async function firstSign(
  { clients, firstSignWithinMs = FIRST_SIGN_WITHIN_MS }: DialParts,
  reference: string,
  held: Promise<Held>,
): Promise<DialAnswer> {
  const placed: DialAnswer = { kind: 'placed', carrierId: reference };
  const until = performance.now() + firstSignWithinMs;
  let isUnknown = false;
  while (performance.now() < until) {
    const waited = sleep(CHECK_EVERY_MS, null);
    const known: Held | null = await (isUnknown ? waited : Promise.race([held, waited]));
    if (known?.kind === 'notPlaced') return known;
    if (known?.kind === 'unknown') isUnknown = true;
    else if (known !== null) return placed;
    if (await isInRoom(clients, reference)) return placed;
  }
  return { kind: 'unknown' };
}

async function isInRoom({ rooms }: LiveKitClients, reference: string): Promise<boolean> {
  try {
    return personIn(await rooms.listParticipants(reference)) !== undefined;
  } catch {
    // The state is unknown, so the loop checks again.
    return false;
  }
}

function placeCall(sip: SipClient, trunk: SipTrunk, request: DialRequest): Promise<SIPParticipantInfo> {
  const ringingTimeout = ringMsOf(request) / 1000;
  return sip.createSipParticipant(
    trunk.kind === 'stored' ? trunk.trunkId : '',
    request.to,
    request.reference,
    {
      fromNumber: request.from ?? undefined,
      participantIdentity: CALLEE,
      // By default, LiveKit would use the number as the name.
      participantName: CALLEE,
      hidePhoneNumber: true,
      ...(request.from !== null && { participantAttributes: { [SHOWN_NUMBER_ATTRIBUTE]: request.from } }),
      ringingTimeout,
      maxCallDuration: ringingTimeout + request.maxTalkS + TALK_MARGIN_S,
      waitUntilAnswered: true,
      timeout: ringingTimeout + REPORT_WITHIN_S,
    },
    trunk.kind === 'inline' ? inlineTrunk(trunk) : undefined,
  );
}

const TRANSPORTS = {
  auto: SIPTransport.SIP_TRANSPORT_AUTO,
  udp: SIPTransport.SIP_TRANSPORT_UDP,
  tcp: SIPTransport.SIP_TRANSPORT_TCP,
  tls: SIPTransport.SIP_TRANSPORT_TLS,
} as const;

const inlineTrunk = (trunk: Extract<SipTrunk, { kind: 'inline' }>): SIPOutboundConfig =>
  new SIPOutboundConfig({
    hostname: trunk.address,
    transport: TRANSPORTS[trunk.transport],
    authUsername: trunk.username,
    authPassword: trunk.password,
  });

const EXACT: Readonly<Record<number, CarrierEndReason>> = {
  404: 'invalid_number',
  // Incomplete, gone and ambiguous addresses. A redial would not help.
  410: 'invalid_number',
  484: 'invalid_number',
  485: 'invalid_number',
  604: 'invalid_number',
  408: 'no_answer',
  480: 'no_answer',
  // Caused by our CANCEL at the ring timeout.
  487: 'no_answer',
  486: 'busy',
  600: 'busy',
  603: 'rejected',
  // "Unwanted", and "rejected by an intermediary".
  607: 'rejected',
  608: 'rejected',
};

/** Treats all other statuses as faults of the trunk. The call may succeed later or with another caller ID. */
export const endReasonOfSip = (status: number): CarrierEndReason => EXACT[status] ?? 'carrier_failure';

/** Returns the setup fault that a status indicates. A 403 may also concern only this number. */
const setupFaultOfSip = (status: number): SetupFault | undefined => SETUP_FAULTS[status];

const SETUP_FAULTS: Readonly<Record<number, SetupFault>> = {
  401: 'trunk_login',
  403: 'trunk_forbids',
  407: 'trunk_login',
};

/** Trunks rarely change. */
const KEPT_FOR_MS = 60_000;
/** Excludes the asterisk, with which a trunk allows every number. */
const NUMBER = /^\+?\d+$/;

/** The numbers of a trunk that is configured in LiveKit. We choose one, because LiveKit would not report its own choice. */
export class TrunkNumbers {
  private known: { numbers: readonly string[]; readAtMs: number } | null = null;

  constructor(
    private readonly sip: Pick<SipClient, 'listSipOutboundTrunk'>,
    private readonly trunkId: string,
  ) {}

  /**
   * Returns a random number of the trunk. Returns null if the trunk has none or LiveKit isn't responding. LiveKit then chooses the number.
   */
  async any(): Promise<string | null> {
    const numbers = await this.numbers();
    return numbers[Math.floor(Math.random() * numbers.length)] ?? null;
  }

  private async numbers(): Promise<readonly string[]> {
    if (this.known !== null && performance.now() - this.known.readAtMs < KEPT_FOR_MS)
      return this.known.numbers;
    try {
      const [trunk] = await this.sip.listSipOutboundTrunk({ trunkIds: [this.trunkId] });
      const numbers = (trunk?.numbers ?? []).filter((number) => NUMBER.test(number));
      this.known = { numbers, readAtMs: performance.now() };
      return numbers;
    } catch {
      return this.known?.numbers ?? [];
    }
  }
}
