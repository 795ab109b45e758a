import type { DialGuards } from '../../db/calls/engine';

/** Nothing keeps a call from being dialled. */
export const NO_GUARDS: Omit<DialGuards, 'registryCleared'> = {
  settlesMs: 3_200,
  trunk: 'test',
  dialEveryMs: null,
  brakes: { campaignSpendPerDay: null, clientSpendPerDay: null, failureRate: null, failureDials: 20 },
  registryNotBefore: null,
};

/** Of an agent that is inserted: it answers no number and calls from none. */
export const NO_NUMBERS = { inboundNumber: null, numbers: [], numberRule: { registeredOnly: false } };
