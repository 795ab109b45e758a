import { ORDINARY_TYPES } from '../../domain/phone-number';

/** Callback settings that all tests share. */
export const CALLBACK_SETTINGS = {
  maxPerDay: 3,
  hashKeys: [Buffer.alloc(32)] as [Buffer],
  allowedCountries: ['IN'],
  allowedNumberTypes: [...ORDINARY_TYPES],
};

/** Activity settings for tests that don't need special ones. */
export const DIAL_SETTINGS = {
  registeredOnly: false,
  ringTimeoutS: 30,
  creditsPerMinute: 1,
  ruleProfile: null,
  dispatchWaitLimitMs: 900_000,
  // Off, because the time-skipping server's clock stops when a child outlives its parent's run.
  newRunAfterCalls: false,
  auditDays: null,
  deliveryDays: null,
  callDays: null,
  mails: {
    confirmedDomains: ['*'],
    perDay: 0,
    confirmationLink: (addressId: string) => `https://calls.example.test/confirm-email?id=${addressId}`,
  },
};
