/** Prepares the room of a call, with an agent ready in it, before the dial. */
import { setTimeout as sleep } from 'node:timers/promises';
import { JobStatus } from '@livekit/protocol';
import { RoomAgentDispatch } from 'livekit-server-sdk';
import type { Readiness } from '../port';
import type { LiveKitClients } from './clients';
import { isKeyRefused, isNotFound, nameOf } from './fault';
import { isAgentReady, personIn } from '../../../domain/room-participants';
import { firstRoomRecord } from './room-record';

/**
 * How long a room stays open without a phone or browser. Must exceed any call, because a restarted LiveKit still counts from the room's
 * creation, and the agent may rejoin before the phone does.
 */
export const EMPTY_S = { call: 3_900, session: 600 } as const;
/**
 * How long a room stays open after everyone has left, because its metadata holds the agent's record. A live agent deletes the room earlier.
 */
export const DEPARTURE_S = 600;

/** An agent is usually ready within a fraction of a second, but a busy machine must start a process first. */
const READY_WITHIN_MS = 20_000;
/**
 * How often an agent is requested in that time. All agents may be busy at the first request. LiveKit can take up to five seconds to list an
 * agent's job. Don't dispatch a second agent before that, because it would compete with the first.
 */
const REQUESTS = 3;
const CHECK_EVERY_MS = 100;
/** Poll interval after the first second. */
const CHECK_LATER_MS = 250;
const SOON_MS = 1_000;

export type RoomUse = keyof typeof EMPTY_S;

interface RoomLog {
  warn(fields: Record<string, unknown>, sentence: string): void;
}

interface Parts {
  clients: LiveKitClients;
  agentName: () => Promise<string>;
  deployment: () => Promise<string>;
  log: RoomLog;
  ticketFor: (reference: string) => string;
  /** How long to wait for the agent to become ready. Default: 20 s. */
  readyWithinMs?: number;
}

/**
 * Prepares the room. Never rejects. If the agent is late but may still join, the room stays for the next attempt. If not, it is released,
 * unless `waitMs` limits the attempt, because a longer attempt follows.
 */
export async function prepareRoom(
  parts: Parts,
  reference: string,
  { use, waitMs }: { use: RoomUse; waitMs?: number },
): Promise<Readiness> {
  const { readyWithinMs = READY_WITHIN_MS, log } = parts;
  try {
    await openRoom(parts, reference, use);
    if (waitMs !== undefined) {
      const shortMs = Math.min(waitMs, readyWithinMs);
      return (await becomesReady(parts, reference, shortMs)) ? 'ready' : 'notYet';
    }
    let isOnItsWay = false;
    for (let request = 1; request <= REQUESTS; request += 1) {
      if (await becomesReady(parts, reference, readyWithinMs / REQUESTS)) return 'ready';
      isOnItsWay = await hasJob(parts, reference);
      if (!isOnItsWay && request < REQUESTS) await dispatchAgent(parts, reference);
    }
    log.warn({ call_id: reference, on_its_way: isOnItsWay }, 'no agent was ready in time');
    if (!isOnItsWay) await releaseRoom(parts, reference);
    return 'noAgent';
  } catch (error) {
    log.warn({ call_id: reference, error: nameOf(error) }, 'a room could not be prepared');
    if (isKeyRefused(error)) return 'refused';
    if (waitMs !== undefined) return 'unavailable';
  }
  await releaseRoom(parts, reference);
  return 'unavailable';
}

/** Returns whether an agent has an unfinished job. If there is none, LiveKit found no agent and won't search again. */
async function hasJob({ clients }: Parts, reference: string): Promise<boolean> {
  const dispatches = await clients.dispatches.listDispatch(reference);
  const jobs = dispatches.flatMap(({ state }) => state?.jobs ?? []);
  return jobs.some(({ state }) => UNDER_WAY.includes(state?.status ?? JobStatus.JS_PENDING));
}

const UNDER_WAY: readonly JobStatus[] = [JobStatus.JS_PENDING, JobStatus.JS_RUNNING];

/** Opens the room and requests an agent, unless that was done before. */
async function openRoom(parts: Parts, reference: string, use: RoomUse): Promise<void> {
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
  if (room.metadata !== '') return;
  // The browser joined first and created the room without an agent. LiveKit ignores the options for an existing room.
  await clients.rooms.updateRoomMetadata(reference, record);
  await dispatchAgent(parts, reference);
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
    await sleep(waitedMs() < SOON_MS ? CHECK_EVERY_MS : CHECK_LATER_MS);
  }
  return false;
}

/** Deletes the room unless a call takes place in it. Never rejects, because reconciliation finds leftover rooms. */
export async function releaseRoom({ clients, log }: Parts, reference: string): Promise<void> {
  try {
    if (personIn(await clients.rooms.listParticipants(reference)) !== undefined) return;
    await clients.rooms.deleteRoom(reference);
  } catch (error) {
    if (!isNotFound(error)) log.warn({ call_id: reference, error: nameOf(error) }, 'a room was not deleted');
  }
}
