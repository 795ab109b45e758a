/** What activities are set to, unless a test is about it. */
export const DIAL_SETTINGS = {
  registeredOnly: false,
  ringTimeoutS: 30,
  creditsPerMinute: 1,
  dispatchWaitLimitMs: 900_000,
  auditDays: null,
  deliveryDays: null,
  callDays: null,
};
