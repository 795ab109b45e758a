import { briefWaits, type BriefWaits } from '../../activities/brief-waits';
import type { AtOnce } from '../../activities/dependencies';

/** Higher than any test's concurrency. */
export const MANY_AT_ONCE: AtOnce = { dials: 100, briefWaits: 100, deliveries: 100, preparations: 100 };

/** Waits long enough for any service that the test doesn't slow down, even on a busy machine. */
export const patientWaits = (): BriefWaits =>
  briefWaits({ max: MANY_AT_ONCE.briefWaits, log: { warn: () => undefined }, limitMs: 10_000 });
