/** The room of a call, and the agent ready in it, before anybody is called. */
import { setTimeout as sleep } from 'node:timers/promises';
import { JobStatus } from '@livekit/protocol';
import { RoomAgentDispatch } from 'livekit-server-sdk';
import { BRIEF_MS } from '../../brief-waits';
import type { Readiness } from '../port';
import type { LiveKitClients } from './clients';
import { isKeyRefused, isNotFound, nameOf } from './fault';
import { isAgentReady, personIn } from '../../../domain/room-participants';
import { firstRoomRecord } from './room-record';

/**
 * How long a room waits for the phone or the browser: agents do not count. LiveKit counts from the room's creation also after its own restart, when
 * an agent comes back before its phone: so longer than any call. The agent of a call that is never dialled leaves by itself.
 */
export const EMPTY_S = { call: 3_900, session: 600 } as const;
/** After somebody left: what the agent wrote down of the call is kept there. It deletes the room before, where it lives. */
export const DEPARTURE_S = 600;

/** A fraction of a second where a process waits for work; on a busy machine one has to be started first. */
const READY_WITHIN_MS = 20_000;
/** The same, within a workflow task. */
const READY_BRIEFLY_MS = BRIEF_MS;
/**
 * LiveKit lists the job of an agent that it has asked up to five seconds later. Until then a dispatch without a job may be one whose agent is on
 * its way, and a second agent would take the call from it.
 */
const LISTED_AFTER_SHARE = 1 / 3;
const LOOK_EVERY_MS = 100;
/** Once it takes longer than it should. */
const LOOK_LATER_MS = 250;
const SOON_MS = 1_000;

export type RoomUse = keyof typeof EMPTY_S;

export interface RoomLog {
  warn(fields: Record<string, unknown>, sentence: string): void;
}

interface Parts {
  clients: LiveKitClients;
  agentName: () => Promise<string>;
  deployment: () => Promise<string>;
  log: RoomLog;
  ticketFor: (reference: string) => string;
  /** Twenty seconds unless set. */
  readyWithinMs?: number;
}

/**
 * Never fails: a LiveKit that cannot be reached now will place no call either. An agent that is on its way is left to come, as another would
 * take as long: the next attempt finds it. Else what was begun is undone, unless it was a brief attempt, which a longer one follows.
 */
export async function prepareRoom(
  parts: Parts,
  reference: string,
  { use, isBrief = false }: { use: RoomUse; isBrief?: boolean },
): Promise<Readiness> {
  const { readyWithinMs = READY_WITHIN_MS, log } = parts;
  try {
    const isAsked = await openRoom(parts, reference, use);
    if (isBrief) {
      const briefMs = Math.min(READY_BRIEFLY_MS, readyWithinMs);
      return (await becomesReady(parts, reference, briefMs)) ? 'ready' : 'notYet';
    }
    if (!isAsked) {
      if (await becomesReady(parts, reference, readyWithinMs * LISTED_AFTER_SHARE)) return 'ready';
      if (!(await hasJob(parts, reference))) await dispatchAgent(parts, reference);
    }
    if (await becomesReady(parts, reference, readyWithinMs)) return 'ready';
    const isOnItsWay = await hasJob(parts, reference);
    log.warn({ call_id: reference, on_its_way: isOnItsWay }, 'no agent was ready in time');
    if (isOnItsWay) return 'unavailable';
  } catch (error) {
    log.warn({ call_id: reference, error: nameOf(error) }, 'a room could not be prepared');
    if (isKeyRefused(error)) return 'refused';
    if (isBrief) return 'unavailable';
  }
  await releaseRoom(parts, reference);
  return 'unavailable';
}

/** Jobs that no agent has failed or ended. Without one, LiveKit found nobody to ask, and asks nobody again. */
async function hasJob({ clients }: Parts, reference: string): Promise<boolean> {
  const dispatches = await clients.dispatches.listDispatch(reference);
  const jobs = dispatches.flatMap(({ state }) => state?.jobs ?? []);
  return jobs.some(({ state }) => UNDER_WAY.includes(state?.status ?? JobStatus.JS_PENDING));
}

const UNDER_WAY: readonly JobStatus[] = [JobStatus.JS_PENDING, JobStatus.JS_RUNNING];

/** Returns whether an agent was asked for now; false for a room that was prepared before and that somebody is in. */
async function openRoom(parts: Parts, reference: string, use: RoomUse): Promise<boolean> {
  const { clients } = parts;
  const agentName = await parts.agentName();
  const record = firstRoomRecord(await parts.deployment(), reference);
  const room = await clients.rooms.createRoom({
    name: reference,
    emptyTimeout: EMPTY_S[use],
    departureTimeout: DEPARTURE_S,
    metadata: record,
    agents: [new RoomAgentDispatch({ agentName, metadata: jobMetadata(parts, reference) })],
  });
  if (room.metadata !== '') return room.numParticipants === 0;
  // The browser came first: it opened the room, without an agent. What a room is given when it is there already has no effect.
  await clients.rooms.updateRoomMetadata(reference, record);
  await dispatchAgent(parts, reference);
  return true;
}

async function dispatchAgent(parts: Parts, reference: string): Promise<void> {
  const { dispatches } = parts.clients;
  await dispatches.createDispatch(reference, await parts.agentName(), {
    metadata: jobMetadata(parts, reference),
  });
}

const jobMetadata = ({ ticketFor }: Parts, reference: string): string =>
  JSON.stringify({ call_id: reference, ticket: ticketFor(reference) });

async function becomesReady(
  { clients: { rooms } }: Parts,
  reference: string,
  readyWithinMs: number,
): Promise<boolean> {
  const since = performance.now();
  const waitedMs = (): number => performance.now() - since;
  while (waitedMs() < readyWithinMs) {
    if (isAgentReady(await rooms.listParticipants(reference))) return true;
    await sleep(waitedMs() < SOON_MS ? LOOK_EVERY_MS : LOOK_LATER_MS);
  }
  return false;
}

/** A room with somebody in it is a call's. Never fails: what remains is found by reconciliation. */
export async function releaseRoom({ clients, log }: Parts, reference: string): Promise<void> {
  try {
    if (personIn(await clients.rooms.listParticipants(reference)) !== undefined) return;
    await clients.rooms.deleteRoom(reference);
  } catch (error) {
    if (!isNotFound(error)) log.warn({ call_id: reference, error: nameOf(error) }, 'a room was not deleted');
  }
}
