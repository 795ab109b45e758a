/**
 * Prepares a dial: reserves a room with a ready agent (LiveKit only) and checks the do-not-disturb registry. The dial tries this within a
 * brief wait first. If that is too short, a regular activity does it.
 */
import { ApplicationFailure, Context } from '@temporalio/activity';
import * as calls from '../../db/calls/engine';
import { numberOfCall } from '../../db/calls/do-not-disturb';
import type { ActivityDependencies } from '../dependencies';
import type { RegistryVerdict } from './do-not-disturb/registry-check';
import { Shares } from '../../runtime/shares';

export type Preparation = 'room' | 'registry';

/** Results of preparations for the next dial. Positive results expire at `until` by the platform's clock. */
export interface Prepared {
  room?: { isReady: true; until: number } | { isReady: false };
  registry?: { verdict: 'listed' | 'unavailable' } | { verdict: 'clear'; until: number };
}

/** Names of the peers for brief waits. All organizations share these services. */
const PEERS = { agents: 'agents', registry: 'registry' } as const;

/** How long a result is valid. This is less time than a room waits for its call, and more than a busy worker needs until the dial. */
const VALID_MS = 10_000;
/** Well below the heartbeat timeout. */
const HEARTBEAT_MS = 2_000;
/** Random, so that retries don't all arrive at once. */
const BUSY_RETRY_MS = 500;

type Deps = Pick<
  ActivityDependencies,
  'db' | 'telephony' | 'dndRegistry' | 'briefWaits' | 'clock' | 'settings'
>;

export function preparingActivities(deps: Deps) {
  const slots = new Shares({ max: deps.settings.atOnce.preparations });
  return {
    /**
     * Waits for a service that was too slow for the dial. Safe to repeat.
     * @throws ApplicationFailure `Busy` while this worker is at its limit of preparations
     */
    async prepareDial({ callId, of }: { callId: string; of: Preparation }): Promise<Prepared> {
      const release = slots.take('preparations');
      if (release === null) throw busy();
      const alive = setInterval(() => Context.current().heartbeat(), HEARTBEAT_MS);
      try {
        return of === 'room'
          ? { room: await room(deps, callId) }
          : { registry: await registry(deps, callId) };
      } finally {
        clearInterval(alive);
        release();
      }
    },
  };
}

async function room({ db, telephony, briefWaits, clock }: Deps, callId: string): Promise<Prepared['room']> {
  const until = () => clock() + VALID_MS;
  // The call is over or has lost its line. The next dial will notice this.
  if ((await calls.callState(db, callId))?.stage !== 'granted') return { isReady: true, until: until() };
  const { kind } = await briefWaits.timed(PEERS.agents, () => telephony.prepare(callId));
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
export type RoomReadiness = 'ready' | 'unavailable' | 'refused' | 'slow';

export async function preparedRoom(
  { telephony, briefWaits }: Deps,
  callId: string,
  known: Prepared['room'],
  now: number,
): Promise<RoomReadiness> {
  if (known?.isReady === false) return 'unavailable';
  if (known !== undefined && now < known.until) return 'ready';
  const looked = await briefly(briefWaits, PEERS.agents, () => telephony.prepare(callId, { isBrief: true }));
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
