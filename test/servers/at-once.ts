import { briefWaits, type BriefWaits } from '../../activities/brief-waits';
import type { AtOnce } from '../../activities/dependencies';

/** Higher than any test's concurrency. */
export const MANY_AT_ONCE: AtOnce = { dials: 100, briefWaits: 100, deliveries: 100, preparations: 100 };

/** A service that a test has not slowed down answers within this limit, even on a busy machine. */
export const patientWaits = (): BriefWaits =>
  briefWaits({ most: MANY_AT_ONCE.briefWaits, log: { warn: () => undefined }, limitMs: 10_000 });
