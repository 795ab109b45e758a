/** Runs seeds one after another, shrinks the first one that fails, and prints its story. */
import { drawSimulation } from './plan/draw';
import type { CampaignPlan, Happening, SimulationPlan } from './plan/plan';
import type { Laboratory } from './postgres/laboratory';
import { runSimulation, type SimulationResult } from './run-simulation';
import { shrink, sizeOf } from './shrink';

const CALL_ID = /(outbound|inbound)-\d+-[0-9a-f]{32}/g;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Replaces long ids by short names, numbered in order of appearance. */
function namer(): (text: string) => string {
  const names = new Map<string, string>();
  const nameOf = (id: string, kind: string): string => {
    const known =
      names.get(id) ?? `${kind} ${[...names.values()].filter((name) => name.startsWith(kind)).length + 1}`;
    names.set(id, known);
    return known;
  };
  return (text) => text.replace(CALL_ID, (id) => nameOf(id, 'call')).replace(UUID, (id) => nameOf(id, 'row'));
}

function storyOf({ plan, result }: { plan: SimulationPlan; result: SimulationResult }): string {
  const named = namer();
  const lines = untilJudged(result).map(
    ({ atMs, who, what }) => `${seconds(atMs)}  ${who.padEnd(8)}  ${named(what)}`,
  );
  const atEnd = result.violations
    .filter(({ atMs }) => atMs === null)
    .map(({ sentence }) => `   at the end  judge     ${named(sentence)}`);
  return [...describePlan(plan), '', ...lines, ...atEnd].join('\n');
}

/** Drops everything after the last violation. */
function untilJudged({ story, violations }: SimulationResult): SimulationResult['story'] {
  const isOpen = violations.length === 0 || violations.some(({ atMs }) => atMs === null);
  return isOpen ? story : story.slice(0, story.findLastIndex(({ who }) => who === 'judge') + 1);
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(3).padStart(9)} s`;

function describePlan(plan: SimulationPlan): string[] {
  return [
    `seed ${plan.seed}: ${plan.workers} worker${plan.workers === 1 ? '' : 's'}, lines ${plan.organizations.join(' and ')}, messages take ${plan.pace.usual.join(' to ')} ms, calls ring ${plan.ringMs} ms and talk ${plan.talkMs} ms`,
    ...plan.campaigns.map((campaign, index) => `  campaign ${index + 1}: ${describeCampaign(campaign)}`),
    ...plan.happenings.map((happening) => `  ${seconds(happening.atMs)}  ${describeHappening(happening)}`),
  ];
}

const describeCampaign = (campaign: CampaignPlan): string =>
  `numbers ending in ${campaign.endings.join(', ')}, ${campaign.concurrency} at once, ${campaign.maxRetries} dials, ` +
  `${campaign.retryDelayMins} min between them, window ${campaign.rules === undefined ? campaign.window : JSON.stringify(campaign.rules)}, webhooks ${campaign.webhook ?? 'none'} and ${campaign.callWebhook ?? 'none'}`;

function describeHappening({ kind, atMs: _at, ...facts }: Happening): string {
  const named = Object.entries(facts).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  return [kind, ...named].join(', ');
}

interface Summary {
  seeds: number;
  failed: number[];
  virtualMs: number;
  realMs: number;
  /** CPU time of this process and of Postgres, if known. */
  cpuMs: number | null;
  steps: number;
  dials: number;
}

interface SeedsOptions {
  seeds: readonly number[];
  say: (line: string) => void;
  story?: boolean;
  twice?: boolean;
  signal?: AbortSignal;
}

/** A repeated seed gave a different run, so its result proves nothing. */
class NotRepeated extends Error {
  override name = 'NotRepeated';
}

export async function runSeeds(laboratory: Laboratory, options: SeedsOptions): Promise<Summary> {
  const { seeds, say, story = false, twice = false } = options;
  const summary: Summary = { seeds: 0, failed: [], virtualMs: 0, realMs: 0, cpuMs: null, steps: 0, dials: 0 };
  const cpuBefore = await laboratory.cpuMs();
  for (const seed of seeds) {
    options.signal?.throwIfAborted();
    const plan = drawSimulation(seed);
    const result = await runSimulation(laboratory, plan);
    summary.seeds += 1;
    summary.virtualMs += result.virtualMs;
    summary.realMs += result.realMs;
    summary.steps += result.steps;
    summary.dials += result.dials;
    say(lineOf(result));
    if (twice) await repeat(laboratory, plan, result);
    if (result.violations.length > 0) {
      summary.failed.push(seed);
      if (summary.failed.length === 1) say(await reduced(laboratory, plan, result));
    } else if (story) say(storyOf({ plan, result }));
  }
  const cpuAfter = await laboratory.cpuMs();
  summary.cpuMs = cpuBefore === null || cpuAfter === null ? null : cpuAfter - cpuBefore;
  return summary;
}

async function repeat(laboratory: Laboratory, plan: SimulationPlan, result: SimulationResult): Promise<void> {
  const again = await runSimulation(laboratory, plan);
  if (again.fingerprint === result.fingerprint) return;
  const at = result.story.findIndex(
    (line, index) => JSON.stringify(line) !== JSON.stringify(again.story[index]),
  );
  const [one, other] = [result.story[at], again.story[at]];
  throw new NotRepeated(
    `seed ${plan.seed} did not repeat: ${JSON.stringify(one)}, then ${JSON.stringify(other)}`,
  );
}

/** Returns the story of the smallest plan that violates the invariant, which by default is that of the first violation. */
export async function reduced(
  laboratory: Laboratory,
  plan: SimulationPlan,
  result: Pick<SimulationResult, 'violations'>,
  invariant = result.violations[0]?.sentence.split('.')[0] ?? '',
): Promise<string> {
  const isSame = async (smaller: SimulationPlan): Promise<boolean> => {
    const { violations } = await runSimulation(laboratory, smaller);
    return violations.some(({ sentence }) => sentence.startsWith(`${invariant}.`));
  };
  const smallest = await shrink(plan, isSame);
  const story = storyOf({ plan: smallest, result: await runSimulation(laboratory, smallest) });
  return `\nSeed ${plan.seed} failed; its plan of ${sizeOf(plan)} parts was reduced to ${sizeOf(smallest)}:\n${story}\n`;
}

function lineOf({ seed, violations, fingerprint, virtualMs, realMs, dials }: SimulationResult): string {
  const said =
    violations.length === 0
      ? 'every invariant held'
      : `${violations.length} violations: ${violations[0]?.sentence}`;
  return `seed ${seed} (${fingerprint}): ${dials} dials in ${Math.round(virtualMs / 1_000)} s of virtual time, ${Math.round(realMs)} ms; ${said}`;
}

export function summaryLine({ seeds, failed, virtualMs, realMs, cpuMs, steps, dials }: Summary): string {
  const speed = (ms: number): string => `${Math.round(virtualMs / ms)} × real time`;
  const cpu = cpuMs === null ? '' : `, ${(cpuMs / 1_000).toFixed(1)} s of one core (${speed(cpuMs)})`;
  return (
    `${seeds} seeds, ${failed.length} failed${failed.length === 0 ? '' : ` (${failed.join(', ')})`}: ${dials} dials, ${steps} steps, ` +
    `${Math.round(virtualMs / 1_000)} s of virtual time in ${(realMs / 1_000).toFixed(1)} s (${speed(realMs)})${cpu}.`
  );
}
