/**
 * Prepares a dial: reserves a room with a ready agent (LiveKit only) and checks the do-not-disturb registry. The dial tries this within a
 * brief wait first. If that is too short, a regular activity does it, or the direct dial does it without holding a slot for dials.
 */
import { ApplicationFailure, Context } from '@temporalio/activity';
import * as calls from '../../db/calls/engine';
import { numberOfCall } from '../../db/calls/do-not-disturb';
import type { ActivityDependencies } from '../dependencies';
import { BRIEF_MS } from '../brief-waits';
import { lacksCallerId } from './caller-id';
import type { RegistryVerdict } from './do-not-disturb/registry-check';
import { Shares } from '../../runtime/shares';

export type Preparation = 'room' | 'registry';

/** Results of preparations for the next dial. Positive results expire at `until` by the platform's clock. */
export interface Prepared {
  room?: { isReady: true; until: number } | { isReady: false; isAgentMissing?: true };
  registry?: { verdict: 'listed' | 'unavailable' } | { verdict: 'clear'; until: number };
}

/** Names of the peers for brief waits. All organizations share these services. */
const PEERS = { agents: 'agents', registry: 'registry' } as const;

/** How long a result is valid. This is less time than a room waits for its call, and more than a busy worker needs until the dial. */
const VALID_MS = 10_000;
/** Well below the heartbeat timeout. */
const HEARTBEAT_MS = 2_000;
/** Longer than the activity waits for an agent. Until then, reconciliation leaves the call alone. */
const ROOM_MS = 30_000;
/** How long a direct dial waits. An agent on a busy machine needs a few seconds. */
const DIRECT_MS = 5_000;
/** Random, so that retries don't all arrive at once. */
const BUSY_RETRY_MS = 500;

type Deps = Pick<
  ActivityDependencies,
  'db' | 'telephony' | 'dndRegistry' | 'briefWaits' | 'clock' | 'settings'
>;

export interface Preparing {
  callId: string;
  of: Preparation;
}

export function preparingActivities(deps: Deps) {
  const max = deps.settings.atOnce.preparations;
  // Calls can wait for an agent for minutes. They don't delay checks of the registry.
  const slots = { room: new Shares({ max }), registry: new Shares({ max }) };
  return {
    /**
     * Waits for a service that was too slow for the dial. Safe to repeat.
     * @throws ApplicationFailure `Busy` while this worker is at its limit of preparations
     */
    async prepareDial({ callId, of }: Preparing): Promise<Prepared> {
      const release = slots[of].take('preparations');
      if (release === null) throw busy();
      const alive = setInterval(() => Context.current().heartbeat(), HEARTBEAT_MS);
      try {
        if (of === 'registry') return { registry: await registry(deps, callId) };
        await calls.recordPreparation(deps.db, callId, deps.clock() + ROOM_MS);
        return { room: (await room(deps, callId)) ?? { isReady: false } };
      } finally {
        clearInterval(alive);
        release();
      }
    },
  };
}

/** Prepares direct dials. Returns null if the workflow must prepare the dial, because the service needs longer or too many calls wait. */
export function directPreparation(deps: Deps): (preparing: Preparing) => Promise<Prepared | null> {
  const slots = new Shares({ max: deps.settings.atOnce.preparations });
  return ({ callId, of }) =>
    slots.run('preparations', async () => {
      await calls.recordPreparation(deps.db, callId, deps.clock() + DIRECT_MS);
      if (of === 'registry') return { registry: await registry(deps, callId) };
      const prepared = await room(deps, callId, { waitMs: DIRECT_MS });
      return prepared === null ? null : { room: prepared };
    });
}

/** Returns null if the agent isn't ready after `waitMs` but may still join. */
async function room(
  { db, telephony, briefWaits, clock }: Deps,
  callId: string,
  options?: { waitMs: number },
): Promise<NonNullable<Prepared['room']> | null> {
  const until = () => clock() + VALID_MS;
  // The call is over or has lost its line. The next dial will notice this.
  if ((await calls.callState(db, callId))?.stage !== 'granted') return { isReady: true, until: until() };
  const { kind } = await briefWaits.timed(PEERS.agents, () => telephony.prepare(callId, options));
  if (kind === 'notYet') return null;
  if (kind === 'noAgent') return { isReady: false, isAgentMissing: true };
  return kind === 'ready' ? { isReady: true, until: until() } : { isReady: false };
}

async function registry(
  { db, dndRegistry, briefWaits, clock }: Deps,
  callId: string,
): Promise<NonNullable<Prepared['registry']>> {
  const phoneNumber = await numberOfCall(db, callId);
  const clear = () => ({ verdict: 'clear', until: clock() + VALID_MS }) as const;
  // This worker has no registry, or the row is gone and the call won't be dialled.
  if (phoneNumber === null || dndRegistry === null) return clear();
  const verdict = await briefWaits.timed(PEERS.registry, () =>
    dndRegistry.verdict({ callId, phoneNumber, now: clock() }),
  );
  return verdict === 'clear' ? clear() : { verdict };
}

const busy = (): ApplicationFailure =>
  ApplicationFailure.create({
    type: 'Busy',
    message: 'this worker has reached its limit of concurrent preparations',
    nextRetryDelay: BUSY_RETRY_MS * (1 + Math.random()),
  });

/** `slow`: the brief wait was too short to tell, so a regular activity must wait longer. */
type RoomReadiness = 'ready' | 'unavailable' | 'noAgent' | 'refused' | 'slow';

/**
 * Prepares the room that some calls need before the dial. If the call was already dialled, it is only looked up, and its room shows its
 * state.
 */
export async function preparedRoom(
  { db, telephony, briefWaits, settings, clock }: Deps,
  { callId, prepared }: { callId: string; prepared?: Prepared },
): Promise<RoomReadiness> {
  if (!telephony.preparesFirst(callId)) return 'ready';
  if ((await calls.callState(db, callId))?.stage !== 'granted') return 'ready';
  // Don't reserve an agent, because the dial will be refused.
  if (telephony.needsCallerId(callId) && (await lacksCallerId(db, callId, settings))) return 'ready';
  const known = prepared?.room;
  if (known?.isReady === false) return known.isAgentMissing === true ? 'noAgent' : 'unavailable';
  if (known !== undefined && clock() < known.until) return 'ready';
  const looked = await briefly(briefWaits, PEERS.agents, () =>
    telephony.prepare(callId, { waitMs: BRIEF_MS }),
  );
  if (looked === null) return 'slow';
  return looked.kind === 'notYet' ? 'slow' : looked.kind;
}

export async function registryVerdict(
  { dndRegistry, briefWaits }: Deps,
  call: { callId: string; phoneNumber: string; now: number },
  known: Prepared['registry'],
): Promise<RegistryVerdict | 'slow'> {
  if (dndRegistry === null) return 'clear';
  if (known !== undefined && (known.verdict !== 'clear' || call.now < known.until)) return known.verdict;
  return (await briefly(briefWaits, PEERS.registry, () => dndRegistry.verdict(call))) ?? 'slow';
}

async function briefly<T>(
  waits: ActivityDependencies['briefWaits'],
  peer: string,
  work: () => Promise<T>,
): Promise<T | null> {
  const wait = waits.begin(peer);
  if (wait === null) return null;
  try {
    const waited = await wait.until(work);
    return waited.kind === 'done' ? waited.value : null;
  } finally {
    wait.end();
  }
}
