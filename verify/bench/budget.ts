/** Measures the cost of a call: first a warm-up and the idle platform, then the campaign and the textbook program in turn. */
import { setTimeout as delay } from 'node:timers/promises';
import { demoEnvironment } from '../../dev/demo/environment';
import { type BenchRun, type BenchStack, onStack } from './bench-stack';
import type { Figure } from './figure';
import {
  cpuFigures,
  idleCpuFigures,
  lineFigures,
  othersFigure,
  statementFigures,
  temporalFigures,
  textbookFigures,
} from './budget-figures';
import { pooledCampaign, type PooledCampaign, runCampaign } from './measure-campaign';
import { measureRounds, type Round, runTextbook, startTextbook } from './textbook/measure-textbook';
import { loadNow, machine, type Machine, measureUsage, type Usage } from './usage';

interface BudgetResult {
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

/** Measures the budget of a call with campaigns of the same size as the demo's. */
export async function measureBudget(run: BenchRun): Promise<BudgetResult> {
  const loadBefore = loadNow();
  return onStack(run, { ...TIMES, lines: CAMPAIGN.lines }, async (bench, closing) => {
    const versions = await serverVersions(bench);
    run.say(`Warm-up: ${CAMPAIGN.contacts} calls of each program, which do not count.`);
    await runCampaign(bench, CAMPAIGN);
    const textbook = await startTextbook(bench, demoEnvironment(run.environment), closing);
    await runTextbook(textbook, 'textbook-warm-up', CAMPAIGN);
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
    ...cpuFigures(campaign),
    ...idleCpuFigures(idle),
    ...textbookFigures(rounds),
    othersFigure(campaign.usage),
  ];
}

async function serverVersions({ temporal, statements, temporalOnPostgres }: BenchStack) {
  const { serverVersion } = await temporal.workflowService.getSystemInfo({});
  const kind = temporalOnPostgres ? 'on Postgres' : 'development server';
  return { temporal: `${serverVersion ?? 'unknown'} (${kind})`, postgres: await statements.version() };
}
