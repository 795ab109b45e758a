/** A single change of the dialling code. */
import type { SourceChange } from './changed-activities';
import type { SimulationPlan } from './plan/plan';

export interface DialMutant extends SourceChange {
  name: string;
  /** The change as it appears in the workflow bundle, where the text differs from the source. */
  inBundle?: { from: string; to: string };
  /**
   * The other tests miss this mutant, but the simulation finds it. The long test plants it and expects a violation of `invariant`, or of
   * any invariant if that is absent.
   */
  isMissed?: true;
  invariant?: number;
  needs?: (plan: SimulationPlan) => SimulationPlan;
}
