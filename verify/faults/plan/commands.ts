import type { Random } from '../random';
import type { CampaignPlan } from './campaigns';
import type { PlanSize } from './plan-size';

export interface Edit {
  concurrency?: number;
  max_retries?: number;
}

export type Command =
  /** Sends the commands one after another. Each waits for the previous response. */
  | { kind: 'pause_and_resume'; atMs: number; campaign: number; pausedForMs: number }
  | { kind: 'edit'; atMs: number; campaign: number; fields: Edit; pausedForMs: number }
  | { kind: 'cancel'; atMs: number; campaign: number }
  /** Sends this many pauses and resumes without waiting for responses. Some arrive while the campaign's workflow continues as new. */
  | { kind: 'burst'; atMs: number; campaign: number; count: number; everyMs: number };

/**
 * Length of a pause shortly after the start, which outlasts the calls. Lines become free while contacts wait, so a wrong dial would show.
 */
const LONG_PAUSE_MS: [number, number] = [3_500, 4_500];

/** Leaves time between commands to the same campaign. A cancelled campaign gets no more commands. */
export function drawCommands(random: Random, size: PlanSize, campaigns: readonly CampaignPlan[]): Command[] {
  const scale = size === 'full' ? 1 : 0.4;
  const at = (fromMs: number, toMs: number) => Math.round(random.between(fromMs, toMs) * scale);
  const paused = () => random.between(300, 1_500);
  const commands: Command[] = [
    {
      kind: 'pause_and_resume',
      atMs: random.between(1_200, 1_600),
      campaign: 0,
      pausedForMs: random.between(...LONG_PAUSE_MS),
    },
    {
      kind: 'burst',
      atMs: at(4_000, 9_000),
      campaign: 0,
      count: random.between(4, 8),
      everyMs: random.between(40, 160),
    },
    {
      kind: 'edit',
      atMs: at(14_000, 18_000),
      campaign: 0,
      fields: drawEdit(random, campaigns[0]),
      pausedForMs: paused(),
    },
    { kind: 'pause_and_resume', atMs: at(6_000, 20_000), campaign: 1, pausedForMs: paused() },
  ];
  if (campaigns[2] === undefined) return commands;
  const createdAtMs = campaigns[2].createdAtMs;
  const atMs = createdAtMs + random.between(2_000, 8_000);
  commands.push(
    random.chance(0.5)
      ? { kind: 'cancel', atMs, campaign: 2 }
      : { kind: 'burst', atMs, campaign: 2, count: random.between(4, 8), everyMs: random.between(40, 160) },
  );
  return commands.sort((one, other) => one.atMs - other.atMs);
}

function drawEdit(random: Random, campaign: CampaignPlan | undefined): Edit {
  const { concurrency = 2, maxRetries = 2 } = campaign ?? {};
  return random.pick([
    { concurrency: concurrency + 1 },
    { concurrency: Math.max(1, concurrency - 1) },
    { max_retries: Math.min(10, maxRetries + 1) },
    { concurrency: 1, max_retries: Math.max(1, maxRetries - 1) },
  ]);
}
