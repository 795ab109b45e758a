/** The checker on trial: a run of an engine with a planted fault, which it must find. */
import { columns } from '../bench/table';
import { drawPlan, type Plan } from './plan/plan';
import type { Need, PlantedFault } from './planted';
import type { SeedResult } from './run-seed';

export interface Trial {
  name: string;
  invariant: number;
  /** The invariant that the fault breaks was found violated. */
  found: boolean;
  /** What was found of that invariant first; null for nothing. */
  violation: string | null;
  /** All invariants that were found violated. */
  violated: number[];
  evidence: string | null;
}

/** A broken engine may never come to an end: a window that opens within a minute is all that is waited for. */
export const TRIAL_SETTLED_WITHIN_MS = 60_000;

/** Redialled until the retries are used up, and one whose answer is lost. */
const REVEALING = [80, 85, 92, 93];

/** A short plan that has what the fault needs to show, with contacts that are sure to be redialled. */
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
