import type { SourceChange } from './changed-activities';
import type { SimulationPlan } from './plan/plan';

/** A fault that the simulation must find. */
export interface PlantedSimulationFault {
  name: string;
  /** Number of the invariant that must be violated; null accepts any. */
  invariant: number | null;
  sql: readonly string[];
  /** Text that occurs exactly once in the workflow bundle, and its replacement. */
  workflow: { from: string; to: string } | null;
  /** Change in a source of the activities, or in one that they use. */
  activities?: SourceChange;
  /** Adapts the plan so that the fault shows within a few seeds. */
  needs?: (plan: SimulationPlan) => SimulationPlan;
}
