import type { Telephony } from './port';

/** Of a carrier that is asked for a call and sees to all of it: nothing stands before the dial, and no browser can be met there. */
export const WITHOUT_ROOMS: Pick<
  Telephony,
  'preparesFirst' | 'needsCallerId' | 'prepare' | 'release' | 'createSession' | 'held' | 'retrieve'
> = {
  preparesFirst: () => false,
  needsCallerId: () => false,
  prepare: () => Promise.resolve({ kind: 'ready' }),
  release: () => Promise.resolve(),
  createSession: () => Promise.resolve({ kind: 'refused', faults: 'medium' }),
  held: () => Promise.resolve([]),
  retrieve: () => Promise.resolve({ kind: 'away' }),
};
