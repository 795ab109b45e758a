/** The course of a benchmark: warm up, look at the idle platform, run the campaign, run the textbook program. */
import { setTimeout as delay } from 'node:timers/promises';
import { ClosingOrder } from '../stack/closing';
import type { Environment } from '../stack/platform-environment';
import type { OnProgress } from '../progress';
import { startBenchStack, type BenchStack } from './bench-stack';
import type { Figure } from './figure';
import {
  BUDGET,
  cpuFigures,
  idleCpuFigures,
  lineFigures,
  makespanFigures,
  statementFigures,
  temporalFigures,
  textbookFigures,
} from './figures';
import { loadNow, machine, type Machine } from './machine';
import {
  measureCampaign,
  measureUsage,
  runCampaign,
  type CampaignMeasurement,
  type Usage,
} from './measure-campaign';
import { measureTextbook, type TextbookMeasurement } from './textbook/measure-textbook';
import { unlessAborted } from './unless-aborted';

export interface BenchRun {
  environment: Environment;
  /** A line for the reader at each step. */
  say: (line: string) => void;
  onProgress: OnProgress;
  signal: AbortSignal;
}

export interface BudgetResult {
  machine: Machine;
  figures: Figure[];
  campaign: CampaignMeasurement;
  idle: Usage;
}

const CAMPAIGN = { contacts: 60, lines: 10, timeoutMs: 180_000 };
const TIMES = { ringMs: 300, talkMs: 2000 };
const WARM_UP = { contacts: 60, lines: 10, timeoutMs: 120_000 };
/** Two rounds of the reconciliation, which comes every ten seconds. */
const IDLE_MS = 20_000;

const FULL_CAMPAIGN = { contacts: 1000, lines: 20, timeoutMs: 1_800_000 };
/** Ten seconds from the request to the end, with the ring. */
const FULL_TIMES = { ringMs: 300, talkMs: 9700 };
const FULL_WARM_UP = { contacts: 20, lines: 20, timeoutMs: 180_000 };

/** The budget of one call, by a campaign of a demo's size. About a minute and a half. */
export async function measureBudget(run: BenchRun): Promise<BudgetResult> {
  const loadBefore = loadNow();
  return onStack(run, { ...TIMES, lines: CAMPAIGN.lines }, async (bench, closing) => {
    const versions = await serverVersions(bench);
    run.say(
      `Warm-up: ${WARM_UP.contacts} calls that are not counted, as a cold worker is not what is measured.`,
    );
    await runCampaign(bench, WARM_UP);
    run.say(`The platform without calls: ${IDLE_MS / 1000} s.`);
    const { usage: idle } = await measureUsage(bench, () =>
      delay(IDLE_MS, undefined, { signal: run.signal }),
    );
    run.say(
      `The campaign: ${CAMPAIGN.contacts} answered calls on ${CAMPAIGN.lines} lines, a webhook for each.`,
    );
    const campaign = await measureCampaign(bench, CAMPAIGN);
    run.say('The textbook program on the same Temporal server: its warm-up, then the same calls.');
    await bench.stack.api.stop();
    await bench.stack.worker.stop();
    const textbook = await measureTextbook(bench, CAMPAIGN, run.environment, closing);
    const figures = budgetFigures(campaign, idle, textbook);
    return { machine: machine(versions, loadBefore), figures, campaign, idle };
  });
}

function budgetFigures(campaign: CampaignMeasurement, idle: Usage, textbook: TextbookMeasurement): Figure[] {
  return [
    ...temporalFigures(campaign),
    ...statementFigures(campaign, idle),
    ...lineFigures(campaign),
    ...makespanFigures(campaign.course, campaign.lines, null),
    ...cpuFigures(campaign),
    ...idleCpuFigures(idle),
    ...textbookFigures(campaign, textbook),
  ];
}

/** The makespan of a thousand contacts. About nine minutes. */
export async function measureFull(run: BenchRun): Promise<Figure[]> {
  return onStack(run, { ...FULL_TIMES, lines: FULL_CAMPAIGN.lines }, async (bench) => {
    const { contacts, lines } = FULL_CAMPAIGN;
    run.say(`Warm-up of the full campaign: ${FULL_WARM_UP.contacts} calls.`);
    await runCampaign(bench, FULL_WARM_UP);
    run.say(`The full campaign: ${contacts} answered calls of 10 s on ${lines} lines, about nine minutes.`);
    const campaign = await measureCampaign(bench, FULL_CAMPAIGN);
    const figures = [
      ...makespanFigures(campaign.course, lines, BUDGET.fullMakespanToIdeal),
      ...lineFigures(campaign),
      ...cpuFigures(campaign),
    ];
    return figures.map((each) => ({ ...each, name: `${contacts} on ${lines} lines: ${each.name.trim()}` }));
  });
}

/** Starts a stack, and closes it whatever becomes of the work. A process that dies ends the work. */
async function onStack<T>(
  run: BenchRun,
  settings: { ringMs: number; talkMs: number; lines: number },
  work: (bench: BenchStack, closing: ClosingOrder) => Promise<T>,
): Promise<T> {
  const closing = new ClosingOrder();
  const given = new AbortController();
  const signal = AbortSignal.any([run.signal, given.signal]);
  try {
    const measured = startBenchStack({
      ...settings,
      environment: run.environment,
      onProgress: run.onProgress,
      signal,
      onUnexpectedEnd: (reason) => given.abort(new Error(reason)),
      closing,
    }).then((bench) => work(bench, closing));
    return await unlessAborted(measured, signal);
  } finally {
    await closing.close();
  }
}

async function serverVersions({ temporal, statements }: BenchStack) {
  const { serverVersion } = await temporal.workflowService.getSystemInfo({});
  return { temporal: serverVersion ?? 'unknown', postgres: await statements.version() };
}
