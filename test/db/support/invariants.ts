import { rows, timestamp } from '../../../db/kernel/query';
import { UNDISTURBED_FAULTS } from '../../../verify/simulation/standing-invariants';
import type { EngineDatabase } from './engine-database';

/** Returns the names of the invariants that the rows violate at the engine's time. */
export async function violations(engine: EngineDatabase): Promise<string[]> {
  const found = await rows<{ fault: string }>(engine.db, UNDISTURBED_FAULTS, { now: timestamp(engine.now) });
  return found.map(({ fault }) => fault);
}
