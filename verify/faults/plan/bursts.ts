/** Dispatches calls just before a fault, so that the fault hits workflows during their first tasks. */
import type { Random } from '../random';
import type { DispatchPlan } from './campaigns';

const BURST_MS = 600;
const DISPATCHED = [1, 2, 70, 80, 85, 93, 94] as const;

export function drawBurst(
  random: Random,
  { atMs, count, organizations }: { atMs: number; count: number; organizations: number },
): DispatchPlan[] {
  return Array.from({ length: count }, () => ({
    atMs: atMs - random.between(0, BURST_MS),
    organization: random.between(0, organizations - 1),
    ending: random.pick(DISPATCHED),
  }));
}
