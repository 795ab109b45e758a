/** Measures the cost of a call: first a warm-up and the idle platform, then the campaign and the textbook program in turn. */
import { setTimeout as delay } from 'node:timers/promises';
import type { BenchStack } from './bench-stack';
import type { Figure } from './figure';
import {
  BUDGET,
  cpuFigures,
  diskFigures,
  firstDialFigure,
  idleCpuFigures,
  lineFigures,
  makespanFigures,
  othersFigure,
  stageFigures,
  statementFigures,
  temporalFigures,
  textbookFigures,
} from './figures';
import { loadNow, machine, type Machine } from './machine';
import { measureCampaign, runCampaign } from './measure-campaign';
import { onStack, type BenchRun } from './on-stack';
import { pooledCampaign, pooledStages, type PooledCampaign } from './pooled';
import { measureRounds, type Round } from './rounds';
import { temporalDiskBytes } from './temporal-disk';
import { startTextbook } from './textbook/measure-textbook';
import { measureUsage, type Usage } from './usage';

export interface BudgetResult {
  machine: Machine;
  figures: Figure[];
  campaign: PooledCampaign;
  idle: Usage;
}

const CAMPAIGN = { contacts: 60, lines: 10, timeoutMs: 180_000 };
const ROUNDS = 3;
const TIMES = { ringMs: 300, talkMs: 2000 };
/** Long enough for two passes of reconciliation. */
const IDLE_MS = 20_000;

const FULL_CAMPAIGN = { contacts: 1000, lines: 20, timeoutMs: 1_800_000 };
/** Ten seconds from the request to the end, including ringing. */
const FULL_TIMES = { ringMs: 300, talkMs: 9700 };
const FULL_WARM_UP = { contacts: 20, lines: 20, timeoutMs: 180_000 };

/** Measures the budget of a call with campaigns of the same size as the demo's. */
export async function measureBudget(run: BenchRun): Promise<BudgetResult> {
  const loadBefore = loadNow();
  return onStack(run, { ...TIMES, lines: CAMPAIGN.lines }, async (bench, closing) => {
    const versions = await serverVersions(bench);
    run.say(`Warm-up: ${CAMPAIGN.contacts} calls of each program, which do not count.`);
    await runCampaign(bench, CAMPAIGN);
    const textbook = await startTextbook(bench, CAMPAIGN, run.environment, closing);
    run.say(`The platform without calls: ${IDLE_MS / 1000} s.`);
    const { usage: idle } = await measureUsage(bench, () =>
      delay(IDLE_MS, undefined, { signal: run.signal }),
    );
    const rounds = await measureRounds(bench, textbook, CAMPAIGN, ROUNDS);
    const campaign = pooledCampaign(rounds.map(({ ours }) => ours));
    const figures = budgetFigures(campaign, rounds, idle);
    return { machine: machine(versions, loadBefore), figures, campaign, idle };
  });
}

function budgetFigures(campaign: PooledCampaign, rounds: readonly Round[], idle: Usage): Figure[] {
  return [
    ...temporalFigures(campaign),
    ...statementFigures(campaign, idle),
    ...lineFigures(campaign),
    ...stageFigures(pooledStages(rounds.map(({ ours }) => ours))),
    firstDialFigure(campaign),
    ...makespanFigures(campaign, null),
    ...cpuFigures(campaign),
    ...idleCpuFigures(idle),
    ...textbookFigures(rounds),
    othersFigure(campaign.usage),
  ];
}

/** Measures the makespan of a thousand contacts. Takes about nine minutes. */
export async function measureThousand(run: BenchRun): Promise<Figure[]> {
  return onStack(run, { ...FULL_TIMES, lines: FULL_CAMPAIGN.lines }, async (bench) => {
    const { contacts, lines } = FULL_CAMPAIGN;
    run.say(`Warm-up of the full campaign: ${FULL_WARM_UP.contacts} calls.`);
    await runCampaign(bench, FULL_WARM_UP);
    run.say(`The full campaign: ${contacts} answered calls of 10 s on ${lines} lines, about nine minutes.`);
    const diskBefore = await temporalDiskBytes(bench);
    const measured = await measureCampaign(bench, FULL_CAMPAIGN);
    const diskAfter = await temporalDiskBytes(bench);
    const campaign = pooledCampaign([measured]);
    const figures = [
      ...makespanFigures(campaign, BUDGET.fullMakespanToIdeal),
      ...lineFigures(campaign),
      ...stageFigures(measured.stages),
      ...cpuFigures(campaign),
      ...diskFigures(diskBefore, diskAfter, contacts),
      othersFigure(campaign.usage),
    ];
    return figures.map((each) => ({ ...each, name: `${contacts} on ${lines} lines: ${each.name.trim()}` }));
  });
}

export async function serverVersions({ temporal, statements, temporalOnPostgres }: BenchStack) {
  const { serverVersion } = await temporal.workflowService.getSystemInfo({});
  const kind = temporalOnPostgres ? 'on Postgres' : 'development server';
  return { temporal: `${serverVersion ?? 'unknown'} (${kind})`, postgres: await statements.version() };
}
