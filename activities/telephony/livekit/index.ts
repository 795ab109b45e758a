/** Implements the telephony port with LiveKit: rooms with agents, and phones that join through the SIP bridge (`docs/livekit.md`). */
import type { Room } from 'livekit-server-sdk';
import { presenceIn } from '../../../runtime/livekit/presence';
import { askToHangUp } from '../../../runtime/network/ask-participant';
import { agentWorkerName } from '../../../domain/agent-worker-name';
import { CALLERS_ROOM } from '../../../domain/inbound-call';
import {
  TAKE_UP_MS,
  type DialAnswer,
  type DialRequest,
  type HeldCall,
  type LookUp,
  type Telephony,
} from '../port';
import { BRIEF_MS } from '../../brief-waits';
import { isSession } from '../by-reference';
import {
  livekitClients,
  TOKEN_LEEWAY_MS,
  type LiveKitClients,
  type LiveKitOptions,
  type SipTrunk,
} from './clients';
import { LiveKitClock } from './clock';
import { dialOverSip, TrunkNumbers, type DialLog, type DialParts, type SipOutcome } from './dialling';
import { unreachable } from './fault';
import { deleteRoom, hangUp, retrieve, type RoomAccess } from './hanging-up';
import { removeRoute, setRoute } from './inbound-routes';
import { callIn } from './look-up';
import { prepareRoom, releaseRoom, type RoomUse } from './preparing';
import { readRoomRecord } from './room-record';

export type { LiveKitOptions, SipTrunk, SipTransport } from './clients';
export type { SipOutcome } from './dialling';

/** How long a bridge can take to join a room after LiveKit has accepted the request. */
const JOIN_WITHIN_MS = 10_000;
/** A token's expiry is rounded up to a whole second. */
const WHOLE_SECOND_MS = 1_000;
/** LiveKit's clock can only be read in whole seconds. */
const CLOCK_MARGIN_MS = 1_000;
const LAG_MS = TOKEN_LEEWAY_MS + WHOLE_SECOND_MS + JOIN_WITHIN_MS;

const useOf = (reference: string): RoomUse => (isSession(reference) ? 'session' : 'call');

export interface LiveKitTelephonyParts {
  /** Used if LiveKit's own clock is unknown. */
  clock: () => number;
  log: DialLog;
  /** Creates the ticket with which a call's agent authenticates to the API. */
  ticketFor: (reference: string) => string;
  /** Receives the outcome of a placed call from LiveKit's response to the dial. */
  onOutcome: (reference: string, outcome: SipOutcome) => Promise<void>;
  /** Returns the id of the deployment, which marks its rooms, trunks and rules on a shared LiveKit. */
  deployment: () => Promise<string>;
  /** Returns the room of an inbound call, which LiveKit has named, or null if the call is unknown. */
  roomOf: (reference: string) => Promise<string | null>;
  /** Time limits for the agent to become ready and for the callee's leg to join. */
  limits?: { readyWithinMs: number; firstSignWithinMs: number };
}

export function livekitTelephony(
  options: LiveKitOptions,
  { clock, log, ticketFor, onOutcome, deployment, roomOf, limits }: LiveKitTelephonyParts,
): Telephony {
  const clients = livekitClients(options);
  const { rooms } = clients;
  const access: RoomAccess = {
    rooms,
    presence: (room, listed, how) => presenceIn(options, room, listed, how),
    askToHangUp: (room, identity, left) => askToHangUp(options, { room, identity }, left),
  };
  const { trunk, inboundAddresses } = options;
  const agentName = async () => options.agentName ?? agentWorkerName(await deployment());
  const preparing = { clients, agentName, deployment, log, ticketFor, ...limits };
  const routing = async () => {
    return { clients, agentName: await agentName(), inboundAddresses, deployment: await deployment() };
  };
  const trunkNumbers = trunk?.kind === 'stored' ? new TrunkNumbers(clients.sip, trunk.trunkId) : null;
  const livekitClock = new LiveKitClock(options.url, clock);
  const roomFor = async (reference: string): Promise<string | null> =>
    reference.startsWith(CALLERS_ROOM) ? roomOf(reference) : reference;

  return {
    now: () => livekitClock.now(),
    preparesFirst: () => true,
    prepare: async (reference, options) => ({
      kind: await prepareRoom(preparing, reference, { use: useOf(reference), ...options }),
    }),
    release: (reference) => releaseRoom(preparing, reference),

    createSession: async ({ reference }) =>
      (await prepareRoom(preparing, reference, { use: 'session', waitMs: BRIEF_MS })) === 'ready'
        ? { kind: 'placed', carrierId: reference }
        : { kind: 'notPlaced', retryAfterMs: null },

    async dial(request) {
      if (trunk === null) return { kind: 'refused', faults: 'trunk', because: 'no_trunk' };
      const from = request.from ?? (await trunkNumbers?.any()) ?? null;
      return dialFrom({ options, clients, log, onOutcome, ...limits }, trunk, { ...request, from });
    },

    needsCallerId: (reference) => trunk?.kind === 'inline' && !isSession(reference),
    pendingDialMs: (reference) => TAKE_UP_MS + CLOCK_MARGIN_MS + (isSession(reference) ? 0 : LAG_MS),

    async find(reference) {
      // A session has no lag, because opening it twice gives the same session.
      const lagMs = isSession(reference) ? 0 : LAG_MS;
      const known = { carrierTime: livekitClock.known(), lagMs, goneMeansOver: isSession(reference) };
      const name = await roomFor(reference);
      if (name === null) return { ...known, calls: [] };
      try {
        return { ...known, ...(await callsIn(access, name, reference)) };
      } catch (error) {
        throw unreachable('LiveKit did not respond to a look-up', error);
      }
    },

    hangUp: (room) => hangUp(access, room),
    retrieve: async (reference) => {
      const name = await roomFor(reference);
      return name === null ? { kind: 'absent' } : retrieve(access, name);
    },

    held: async () => heldCalls(clients, await deployment()),

    setInboundRoute: async ({ number }) => setRoute(await routing(), number),
    removeInboundRoute: async (number) => removeRoute(await routing(), number),
  };
}

/** Adds the caller ID to the answer if the call was placed. */
async function dialFrom(parts: DialParts, trunk: SipTrunk, request: DialRequest): Promise<DialAnswer> {
  const answer = await dialOverSip(parts, trunk, request);
  return answer.kind === 'placed' ? { ...answer, from: request.from } : answer;
}

async function callsIn(
  { rooms, presence }: RoomAccess,
  name: string,
  reference: string,
): Promise<Pick<LookUp, 'calls' | 'orphanedBy'>> {
  const [room] = await rooms.listRooms([name]);
  // LiveKit may have lost the room, and the phone may be about to rejoin.
  if (room === undefined) return { calls: [], orphanedBy: isSession(reference) ? null : 'livekit' };
  const participants = await rooms.listParticipants(name);
  const seen = {
    name,
    record: readRoomRecord(room.metadata),
    participants,
    presence: await presence(name, participants),
  };
  const { call, orphanedBy } = callIn(seen, { reference, isSession: isSession(reference) });
  // Remove the phone before the call is reported as over, because its line is then handed over.
  if (call?.state === 'ended' && seen.presence.person !== null) await deleteRoom(rooms, name);
  return { calls: call === null ? [] : [call], orphanedBy };
}

async function heldCalls({ rooms }: LiveKitClients, ours: string): Promise<HeldCall[]> {
  try {
    return (await rooms.listRooms()).flatMap((room) => heldRoom(room, ours));
  } catch (error) {
    throw unreachable('LiveKit did not list its rooms', error);
  }
}

/** Excludes rooms of other systems and deployments on the same LiveKit. */
function heldRoom({ name, metadata, creationTime, creationTimeMs }: Room, ours: string): HeldCall[] {
  const record = readRoomRecord(metadata);
  const heldSince = Number(creationTimeMs) || Number(creationTime) * 1000;
  // In a session without a record, the browser joined first and no agent ever came.
  if (record === null) {
    return isSession(name) ? [{ carrierId: name, reference: name, heldSince, isMarked: false }] : [];
  }
  if (record.deployment !== ours) return [];
  const reference = isSession(name) ? name : record.callId;
  return [{ carrierId: name, reference, heldSince, isMarked: true }];
}
