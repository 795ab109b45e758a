/**
 * What a call needs from others before it may be dialled: over LiveKit a room with an agent ready in it, and the word of the do-not-disturb
 * registry. The dial asks for them itself as long as they come within a brief wait; else this is a regular activity of its own, and the dial
 * is given what came of it.
 */
import { ApplicationFailure, Context } from '@temporalio/activity';
import * as calls from '../../db/calls/engine';
import { numberOfCall } from '../../db/calls/dnd-registry';
import type { ActivityDependencies } from '../dependencies';
import type { RegistryVerdict } from './do-not-disturb/registry-check';
import { Shares } from '../../runtime/shares';

export type Preparation = 'room' | 'registry';

/** What came of preparations, for the dial that follows. What may not stay so for long counts until an instant of the platform's clock. */
export interface Prepared {
  room?: { isReady: true; until: number } | { isReady: false };
  registry?: { verdict: 'listed' | 'unavailable' } | { verdict: 'clear'; until: number };
}

/** Of those who are asked within brief waits. Each is one service for all clients. */
export const WHOM = { agents: 'agents', registry: 'registry' } as const;

/** Far less than a room waits for its call, and more than a busy worker needs until it dials. */
const COUNTS_MS = 10_000;
/** Well within the heartbeat time-out; what is ready in a second sends none. */
const HEARTBEAT_MS = 2_000;
/** Not all at once when a place is free. */
const BUSY_RETRY_MS = 500;

type Deps = Pick<
  ActivityDependencies,
  'db' | 'telephony' | 'dndRegistry' | 'briefWaits' | 'clock' | 'settings'
>;

export function preparingActivities(deps: Deps) {
  const most = deps.settings.atOnce.preparations;
  const turns = new Shares({ most, mostOfOne: most });
  return {
    /**
     * Waits as long as it takes for what the dial found slow. Run twice it prepares the same.
     * @throws ApplicationFailure `Busy` while as many preparations as may be are under way in this worker
     */
    async prepareDial({ callId, of }: { callId: string; of: Preparation }): Promise<Prepared> {
      const endTurn = turns.take('preparations');
      if (endTurn === null) throw busy();
      const alive = setInterval(() => Context.current().heartbeat(), HEARTBEAT_MS);
      try {
        return of === 'room'
          ? { room: await room(deps, callId) }
          : { registry: await registry(deps, callId) };
      } finally {
        clearInterval(alive);
        endTurn();
      }
    },
  };
}

async function room({ db, telephony, briefWaits, clock }: Deps, callId: string): Promise<Prepared['room']> {
  const until = () => clock() + COUNTS_MS;
  // Over, or without a line again: the dial finds that.
  if ((await calls.callState(db, callId))?.stage !== 'granted') return { isReady: true, until: until() };
  const { kind } = await briefWaits.timed(WHOM.agents, () => telephony.prepare(callId));
  return kind === 'ready' ? { isReady: true, until: until() } : { isReady: false };
}

async function registry(
  { db, dndRegistry, briefWaits, clock }: Deps,
  callId: string,
): Promise<NonNullable<Prepared['registry']>> {
  const phoneNumber = await numberOfCall(db, callId);
  const clear = () => ({ verdict: 'clear', until: clock() + COUNTS_MS }) as const;
  // A worker that has no registry asks none, and one row that is gone is not dialled.
  if (phoneNumber === null || dndRegistry === null) return clear();
  const verdict = await briefWaits.timed(WHOM.registry, () =>
    dndRegistry.verdict({ callId, phoneNumber, now: clock() }),
  );
  return verdict === 'clear' ? clear() : { verdict };
}

const busy = (): ApplicationFailure =>
  ApplicationFailure.create({
    type: 'Busy',
    message: 'as many preparations as may be are under way',
    nextRetryDelay: BUSY_RETRY_MS * (1 + Math.random()),
  });

/** `slow`: it is not known within a brief wait, and a regular activity is to find out. */
export type RoomReadiness = 'ready' | 'unavailable' | 'refused' | 'slow';

export async function preparedRoom(
  { telephony, briefWaits }: Deps,
  callId: string,
  known: Prepared['room'],
  now: number,
): Promise<RoomReadiness> {
  if (known?.isReady === false) return 'unavailable';
  if (known !== undefined && now < known.until) return 'ready';
  const looked = await briefly(briefWaits, WHOM.agents, () => telephony.prepare(callId, { isBrief: true }));
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
  return (await briefly(briefWaits, WHOM.registry, () => dndRegistry.verdict(call))) ?? 'slow';
}

async function briefly<T>(
  waits: ActivityDependencies['briefWaits'],
  whom: string,
  work: () => Promise<T>,
): Promise<T | null> {
  const wait = waits.begin(whom);
  if (wait === null) return null;
  try {
    const waited = await wait.until(work);
    return waited.kind === 'done' ? waited.value : null;
  } finally {
    wait.end();
  }
}
