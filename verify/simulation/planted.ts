/**
 * Faults that the simulation must find: those of the fault tests, removed signal handling in workflows, changes to the start of a call that
 * no other test in `npm test` detects, and faults in the rules of local time and caps.
 */
import { PLANTED_FAULTS } from '../faults/planted';
import { changed, changedSource } from './changed-activities';
import type { DialMutant } from './workflow-mutants';
import { DIAL_MUTANTS } from './mutants';
import { silentNeighbour, slowDispatches } from './plan/needs';
import type { SimulationPlan } from './plan/plan';
import type { PlantedSimulationFault } from './planted-fault';
import { RULE_FAULTS } from './rule-faults';

const inWorkflows = (name: string, invariant: number, from: string, to: string): PlantedSimulationFault => ({
  name,
  invariant,
  sql: [],
  workflow: { from, to },
});

const STUCK_CALL: PlantedSimulationFault = {
  ...inWorkflows(
    'a call that was granted a line before it requested one does not request it (the stuck call of 0.1.0)',
    10,
    'if (campaignId === undefined) {',
    'if (campaignId === undefined && call.received.grants === 0) {',
  ),
  needs: slowDispatches,
};

/** Violates the rule that a step waiting for an external system must not occupy a workflow-task slot. */
const WAITING_IN_A_TASK: PlantedSimulationFault = {
  ...inWorkflows(
    "webhook attempts occupy workflow-task slots, so one organization's silent receiver delays all others",
    9,
    "const deliveries = (0, workflow_1.proxyActivities)({\n    startToCloseTimeout: '10s'",
    "const deliveries = (0, workflow_1.proxyLocalActivities)({\n    startToCloseTimeout: '10s'",
  ),
  needs: silentNeighbour,
};

/** Mutants that the other tests miss. */
const MISSED = DIAL_MUTANTS.filter(({ isMissed }) => isMissed === true).map(plantedMutant);

export const PLANTED: readonly PlantedSimulationFault[] = [
  ...PLANTED_FAULTS.map(({ name, invariant, sql }) => ({ name, invariant, sql, workflow: null })),
  STUCK_CALL,
  WAITING_IN_A_TASK,
  ...MISSED,
  ...RULE_FAULTS,
];

/** @throws Error if the source no longer contains the mutant's text */
export function plantedMutant(mutant: DialMutant): PlantedSimulationFault {
  const { name, file, from, to, inBundle = { from, to }, invariant = null, needs } = mutant;
  const planted = { name, invariant, sql: [], workflow: null, ...(needs && { needs }) };
  if (file.endsWith('.sql')) return { ...planted, sql: [changedSource(mutant)] };
  if (file.startsWith('workflows/')) return { ...planted, workflow: inBundle };
  return { ...planted, activities: { file, from, to } };
}

/** Returns the seed's plan, adapted to the fault. */
export const planFor = (
  { needs }: Pick<PlantedSimulationFault, 'needs'>,
  drawn: SimulationPlan,
): SimulationPlan => needs?.(drawn) ?? drawn;

/** @throws Error if the bundle no longer contains the text exactly once */
export const changedBundle = (code: string, change: { from: string; to: string }): string =>
  changed(code, { file: 'the bundle', ...change });
