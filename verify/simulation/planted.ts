/** Faults planted in the engine, which the simulation must find: those of the fault tests, and what the workflows do about signals taken out. */
import { PLANTED_FAULTS } from '../faults/planted';

export interface PlantedSimulationFault {
  name: string;
  /** The number of an invariant that its violation must name. */
  invariant: number;
  sql: readonly string[];
  /** In the bundle of the workflows: found exactly once, and replaced. */
  workflow: { from: string; to: string } | null;
}

const IN_WORKFLOWS: readonly PlantedSimulationFault[] = [
  {
    name: 'a call that was granted a line before it has asked for one does not ask (the stuck call of 0.1.0)',
    invariant: 9,
    sql: [],
    workflow: {
      from: 'if (campaignId === undefined) {',
      to: 'if (campaignId === undefined && call.received.grants === 0) {',
    },
  },
];

export const PLANTED: readonly PlantedSimulationFault[] = [
  ...PLANTED_FAULTS.map(({ name, invariant, sql }) => ({ name, invariant, sql, workflow: null })),
  ...IN_WORKFLOWS,
];

/** @throws Error for a fault that an engine of later outgrew */
export function changedBundle(code: string, { from, to }: { from: string; to: string }): string {
  const parts = code.split(from);
  if (parts.length !== 2)
    throw new Error(`the fault cannot be planted: "${from}" is ${parts.length - 1} times in the bundle`);
  return parts.join(to);
}
