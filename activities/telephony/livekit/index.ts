/** The telephony port over LiveKit: rooms, agents in them, and phones that join through its SIP bridge (`docs/livekit.md`). */
import type { Room, RoomServiceClient } from 'livekit-server-sdk';
import { personIn } from '../../../workflows/domain/room-participants';
import type { HeldCall, LookUp, Telephony } from '../port';
import { isSession } from '../session-reference';
import { livekitClients, TOKEN_LEEWAY_MS } from './clients';
import { LiveKitClock } from './clock';
import { dialOverSip, type DialLog, type SipOutcome } from './dialling';
import { isNotFound, unreachable } from './fault';
import { CALLERS_ROOM, removeRoute, setRoute } from './inbound-routes';
import { callIn } from './look-up';
import type { LiveKitOptions } from './options';
import { prepareRoom, releaseRoom, type RoomUse } from './preparing';
import { readRoomRecord } from './room-record';

export type { LiveKitOptions, SipTrunk, SipTransport } from './options';
export { SIP_TRANSPORTS } from './options';
export type { SipOutcome } from './dialling';

/** How long a bridge may take to join a room, once LiveKit took the request up. */
const JOIN_WITHIN_MS = 10_000;
/** A token ends with a whole second. */
const WHOLE_SECOND_MS = 1_000;
const LAG_MS = TOKEN_LEEWAY_MS + WHOLE_SECOND_MS + JOIN_WITHIN_MS;

const useOf = (reference: string): RoomUse => (isSession(reference) ? 'session' : 'call');

export interface LiveKitTelephonyParts {
  /** Where LiveKit's own clock cannot be had. */
  clock: () => number;
  log: DialLog;
  /** What the agent shows at the API that runs the job of a call. */
  ticketFor: (reference: string) => string;
  /** What became of a call that was placed, where LiveKit says so in answer to the dial. */
  onOutcome: (reference: string, outcome: SipOutcome) => Promise<void>;
  /** By which its rooms, trunks and rules are known among those of another deployment on the same LiveKit. */
  deployment: () => Promise<string>;
  /** The room of an inbound call, which LiveKit named; null for a call that is not known. */
  roomOf: (reference: string) => Promise<string | null>;
  /** How long is waited for an agent to be ready, and for the callee's leg to be in the room. */
  limits?: { readyWithinMs: number; firstSignWithinMs: number };
}

export function livekitTelephony(
  options: LiveKitOptions,
  { clock, log, ticketFor, onOutcome, deployment, roomOf, limits }: LiveKitTelephonyParts,
): Telephony {
  const clients = livekitClients(options);
  const { rooms } = clients;
  const { agentName, trunk, inboundAddresses } = options;
  const preparing = { clients, agentName, deployment, log, ticketFor, ...limits };
  const routing = { clients, agentName, deployment, inboundAddresses };
  const livekitClock = new LiveKitClock(options.url, clock);

  return {
    now: () => livekitClock.now(),
    preparesFirst: () => true,
    prepare: async (reference, options) => ({
      kind: await prepareRoom(preparing, reference, { use: useOf(reference), ...options }),
    }),
    release: (reference) => releaseRoom(preparing, reference),

    createSession: async ({ reference }) =>
      (await prepareRoom(preparing, reference, { use: 'session', isBrief: true })) === 'ready'
        ? { kind: 'placed', carrierId: reference }
        : { kind: 'notPlaced', retryAfterMs: null },

    dial: async (request) =>
      trunk === null
        ? { kind: 'refused', faults: 'trunk' }
        : dialOverSip({ options, clients, log, onOutcome, ...limits }, trunk, request),

    async find(reference) {
      // A session that is opened twice is the same session.
      const lagMs = isSession(reference) ? 0 : LAG_MS;
      const known = { carrierTime: livekitClock.known(), lagMs, goneMeansOver: true };
      const name = reference.startsWith(CALLERS_ROOM) ? await roomOf(reference) : reference;
      if (name === null) return { ...known, calls: [], goneMeansOver: false };
      try {
        return { ...known, calls: await callsIn(rooms, name, reference) };
      } catch (error) {
        throw unreachable('LiveKit did not answer a look-up', error);
      }
    },

    async hangUp(room) {
      try {
        return await deleteRoom(rooms, room);
      } catch (error) {
        throw unreachable('LiveKit did not answer a hang-up', error);
      }
    },

    async held() {
      try {
        const ours = await deployment();
        return (await rooms.listRooms()).flatMap((room) => heldRoom(room, ours));
      } catch (error) {
        throw unreachable('LiveKit did not list its rooms', error);
      }
    },

    setInboundRoute: ({ number }) => setRoute(routing, number),
    removeInboundRoute: (number) => removeRoute(routing, number),
  };
}

async function callsIn(rooms: RoomServiceClient, name: string, reference: string): Promise<LookUp['calls']> {
  const [room] = await rooms.listRooms([name]);
  if (room === undefined) return [];
  const participants = await rooms.listParticipants(name);
  const record = readRoomRecord(room.metadata);
  const call = callIn({ name, record, participants }, { reference, isSession: isSession(reference) });
  // Before it is said that the call is over, and its line goes to the next.
  if (call?.state === 'ended' && personIn(participants) !== undefined) await deleteRoom(rooms, name);
  return call === null ? [] : [call];
}

/** Removes every participant. */
async function deleteRoom(rooms: RoomServiceClient, room: string): Promise<'ended' | 'over'> {
  try {
    await rooms.deleteRoom(room);
    return 'ended';
  } catch (error) {
    if (isNotFound(error)) return 'over';
    throw error;
  }
}

/** Rooms of others on the same LiveKit, another deployment of this platform among them, are not ours to touch. */
function heldRoom({ name, metadata, creationTime, creationTimeMs }: Room, ours: string): HeldCall[] {
  const record = readRoomRecord(metadata);
  const heldSince = Number(creationTimeMs) || Number(creationTime) * 1000;
  // Of a session whose browser came before its agent, and never got one.
  if (record === null) {
    return isSession(name) ? [{ carrierId: name, reference: name, heldSince, isMarked: false }] : [];
  }
  if (record.deployment !== ours) return [];
  const reference = isSession(name) ? name : record.callId;
  return [{ carrierId: name, reference, heldSince, isMarked: true }];
}
