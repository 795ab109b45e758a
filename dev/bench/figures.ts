/** What is reported of the measurements, with the budget of `docs/architecture.md`. */
import { idealMakespanMs, idleLineMs, makespanMs, type CampaignCourse } from './campaign-course';
import { totalActions } from './actions';
import { figure, type Figure } from './figure';
import type { CampaignMeasurement, PlatformCpuMs, Usage } from './measure-campaign';
import { median, percentile } from './percentile';
import { totalStatements } from './statements';
import type { TextbookMeasurement } from './textbook/measure-textbook';

export const BUDGET = {
  actions: 7,
  callEvents: 20,
  callKib: 8,
  campaignEvents: 8,
  statements: 10,
  idleP50Ms: 50,
  idleP99Ms: 300,
  cpuToTextbook: 0.7,
  /** For 1,000 contacts on 20 lines, 10 s each. */
  fullMakespanToIdeal: 1.02,
} as const;

export function temporalFigures({ calls, campaignRuns, contacts }: CampaignMeasurement): Figure[] {
  const pair = (name: string, values: readonly number[], unit: string, goal: number) => [
    figure(`${name}, median`, median(values), unit, goal),
    figure(`${name}, most`, Math.max(...values), unit, goal),
  ];
  const perCall = (value: (run: CampaignMeasurement['campaignRuns'][number]) => number) =>
    campaignRuns.reduce((sum, run) => sum + value(run), 0) / contacts;
  return [
    ...pair(
      'Temporal actions per call',
      calls.map(({ actions }) => totalActions(actions)),
      '',
      BUDGET.actions,
    ),
    ...pair(
      'history events per call',
      calls.map(({ events }) => events.length),
      '',
      BUDGET.callEvents,
    ),
    ...pair(
      'history size per call',
      calls.map(({ bytes }) => bytes / 1024),
      'KiB',
      BUDGET.callKib,
    ),
    figure(
      'events in the campaign per call',
      perCall(({ events }) => events.length),
      '',
      BUDGET.campaignEvents,
    ),
    figure(
      'actions of the campaign per call',
      perCall(({ actions }) => totalActions(actions)),
      '',
    ),
  ];
}

/** What the platform runs without a call, such as reconciliation, is taken off by the time that the campaign took. */
export function statementFigures({ usage, contacts }: CampaignMeasurement, idle: Usage): Figure[] {
  const idlePerMs = totalStatements(idle.statements) / idle.elapsedMs;
  const caused = totalStatements(usage.statements) - idlePerMs * usage.elapsedMs;
  return [
    figure('SQL statements per call', caused / contacts, '', BUDGET.statements),
    figure('SQL statements of the idle platform', idlePerMs * 1000, '/s'),
  ];
}

export function lineFigures({ course, lines, stages, firstDialMs }: CampaignMeasurement): Figure[] {
  const idle = idleLineMs(course, lines);
  const part = (name: string, values: readonly number[]) =>
    figure(`  of it ${name}, p50`, median(values), 'ms');
  return [
    figure('idle line, p50', percentile(idle, 0.5), 'ms', BUDGET.idleP50Ms),
    figure('idle line, p99', percentile(idle, 0.99), 'ms', BUDGET.idleP99Ms),
    part('end of call to signal taken', stages.handOverMs),
    part('signal to task picked up', stages.pickUpMs),
    part('task to request at the carrier', stages.dialMs),
    figure('order to first request at the carrier', firstDialMs, 'ms'),
  ];
}

export function makespanFigures(course: CampaignCourse, lines: number, goal: number | null): Figure[] {
  const makespan = makespanMs(course);
  return [
    figure('makespan', makespan / 1000, 's'),
    figure('makespan / ideal', makespan / idealMakespanMs(course, lines), 'x', goal),
  ];
}

const PARTS: readonly (keyof PlatformCpuMs)[] = ['worker', 'temporal', 'api', 'postgres'];

export function cpuFigures({ usage, contacts }: CampaignMeasurement): Figure[] {
  return PARTS.map((part) => figure(`CPU per call, ${part}`, usage.cpuMs[part] / contacts, 'ms'));
}

/** What a running platform uses without calls; it is in the figures per call too, as in the textbook program's. */
export function idleCpuFigures({ cpuMs, elapsedMs }: Usage): Figure[] {
  return PARTS.map((part) =>
    figure(`CPU of the idle platform, ${part}`, (cpuMs[part] / elapsedMs) * 1000, 'ms/s'),
  );
}

export function textbookFigures(
  { usage, course, contacts, lines }: CampaignMeasurement,
  textbook: TextbookMeasurement,
): Figure[] {
  const ours = usage.cpuMs.worker + usage.cpuMs.temporal;
  const theirs = textbook.cpuMs.worker + textbook.cpuMs.temporal;
  const idle = idleLineMs(textbook.course, lines);
  const theirMakespan = makespanMs(textbook.course);
  return [
    figure('CPU of worker + Temporal / textbook', ours / theirs, 'x', BUDGET.cpuToTextbook),
    figure('textbook: CPU per call, worker', textbook.cpuMs.worker / contacts, 'ms'),
    figure('textbook: CPU per call, temporal', textbook.cpuMs.temporal / contacts, 'ms'),
    figure('textbook: idle line, p50', percentile(idle, 0.5), 'ms'),
    figure('textbook: idle line, p99', percentile(idle, 0.99), 'ms'),
    figure('textbook: makespan', theirMakespan / 1000, 's'),
    figure('textbook: makespan / ideal', theirMakespan / idealMakespanMs(textbook.course, lines), 'x'),
    figure('makespan / textbook makespan', makespanMs(course) / theirMakespan, 'x'),
  ];
}
