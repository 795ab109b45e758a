/** One change of the code that dials. */
import type { SourceChange } from './changed-activities';
import type { SimulationPlan } from './plan/plan';

export interface DialMutant extends SourceChange {
  name: string;
  /** Of a workflow whose bundle has other words than its source: `from` and `to` as they are there. */
  inBundle?: { from: string; to: string };
  /** The other tests miss it, and the simulation finds it: it is planted in the long test, and must name this invariant; any unless said. */
  isMissed?: true;
  invariant?: number;
  needs?: (plan: SimulationPlan) => SimulationPlan;
}
