import type { Telephony } from './port';

/** Defaults for a carrier that needs no preparation before a dial and has no browser sessions. */
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
