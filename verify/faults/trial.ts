/** Tests the checker by running an engine with a planted fault, which the checker must find. */
import { columns } from '../bench/figure';
import { drawPlan, type Plan } from './plan/plan';
import type { Need, PlantedFault } from './planted';
import type { SeedResult } from './run-seed';

export interface Trial {
  name: string;
  invariant: number;
  /** True if the checker reported the invariant that the fault violates. */
  found: boolean;
  /** First violation of that invariant, or null. */
  violation: string | null;
  /** All violated invariants. */
  violated: number[];
  evidence: string | null;
}

/** A broken engine may never finish, so a trial waits only until a window could have opened. */
export const TRIAL_DRAINED_WITHIN_MS = 60_000;

/** Numbers that are redialled until no attempts are left, and one whose response is lost. */
const REVEALING = [80, 85, 92, 93];

/** Returns a short plan with the conditions that the fault needs, and with contacts that are certain to be redialled. */
export function trialPlan(seed: number, needs: readonly Need[]): Plan {
  const plan = drawPlan(seed, 'short');
  const has = (need: Need) => needs.includes(need);
  return {
    ...plan,
    campaigns: plan.campaigns.map((campaign, index) => ({
      ...campaign,
      endings: [...REVEALING, ...campaign.endings],
      ...(index === 1 && has('window') ? { window: 'opens' as const } : {}),
      ...(index === 1 && has('retryDelay') ? { retryDelayMins: 1 as const, maxRetries: 2 } : {}),
      ...(has('refusedWebhook') ? { callWebhook: '/flaky' as const } : {}),
    })),
  };
}

export function trialOf({ name, invariant }: PlantedFault, { verdict, evidenceFolder }: SeedResult): Trial {
  const violated = verdict.invariants.filter(({ violations }) => violations.length > 0);
  const own = violated.find((each) => each.number === invariant);
  return {
    name,
    invariant,
    found: own !== undefined,
    violation: own?.violations[0] ?? null,
    violated: violated.map((each) => each.number),
    evidence: evidenceFolder,
  };
}

export function trialTable(trials: readonly Trial[]): string {
  const rows = trials.map(({ name, invariant, found, violated }) => [
    String(invariant),
    name,
    found ? 'found' : 'NOT FOUND',
    violated.join(', '),
  ]);
  return columns([['invariant', 'planted fault', 'verdict', 'violated'], ...rows], [0]);
}
