import { rows, timestamp } from '../../../db/kernel/query';
import { UNDISTURBED_FAULTS } from '../../../verify/simulation/standing-invariants';
import type { EngineDatabase } from './engine-database';

/** What is wrong with the rows at the engine's instant, named. */
export async function violations(engine: EngineDatabase): Promise<string[]> {
  const found = await rows<{ fault: string }>(engine.db, UNDISTURBED_FAULTS, { now: timestamp(engine.now) });
  return found.map(({ fault }) => fault);
}
