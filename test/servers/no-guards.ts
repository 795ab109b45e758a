import type { DialGuards } from '../../db/calls/engine';

/** Guards that never prevent a dial. */
export const NO_GUARDS: Omit<DialGuards, 'registryCleared'> = {
  pendingDialMs: 3_200,
  deadlineMs: 3_670_000,
  trunk: 'test',
  dialEveryMs: null,
  breakers: { campaignSpendPerDay: null, organizationSpendPerDay: null, failureRate: null, failureDials: 20 },
  registryNotBefore: null,
};

/** Number settings of an agent that has no numbers. */
export const NO_NUMBERS = { inboundNumber: null, numbers: [], numberRule: { registeredOnly: false } };
