/** How what a call costs grows with the size of its campaign: 100, 1,000 and 10,000 contacts on the same lines. */
import { median, percentile } from './percentile';
import { figure, type Figure } from './figure';
import { idealMakespanMs, idleLineMs, makespanMs, type CampaignCourse } from './campaign-course';
import type { CampaignMeasurement } from './measure-campaign';
import { totalStatements } from './statements';
import { columns, number } from './table';
import type { Usage } from './usage';

/** What the carrier's log says went wrong; all must be zero. */
export interface Faults {
  /** Calls placed beyond one for each contact. */
  duplicates: number;
  /** Contacts that the carrier was never asked for. */
  lost: number;
}

export function faultsOf(contacts: number, { requestedAtMs, requests }: CampaignCourse): Faults {
  return { duplicates: requestedAtMs.length - requests.size, lost: contacts - requests.size };
}

/** One campaign's row of values, always in the same order. `idle` is the platform without calls. */
export function growthFigures(measured: CampaignMeasurement, idle: Usage): Figure[] {
  const { contacts, lines, course, usage, campaignRuns, calls } = measured;
  const { cpuMs } = usage;
  const idleMs = idleLineMs(course, lines);
  const { duplicates, lost } = faultsOf(contacts, course);
  const idlePerMs = totalStatements(idle.statements) / idle.elapsedMs;
  const statements = totalStatements(usage.statements) - idlePerMs * usage.elapsedMs;
  const events = campaignRuns.reduce((sum, run) => sum + run.events.length, 0);
  const perCall = (value: number) => value / contacts;
  return [
    figure('dials', course.requestedAtMs.length, ''),
    figure('duplicates', duplicates, '', 0),
    figure('contacts lost', lost, '', 0),
    figure('makespan', makespanMs(course) / 1000, 's'),
    figure('makespan / ideal', makespanMs(course) / idealMakespanMs(course, lines), 'x'),
    figure('calls a second', contacts / (makespanMs(course) / 1000), '/s'),
    figure('idle line, p50', percentile(idleMs, 0.5), 'ms'),
    figure('idle line, p99', percentile(idleMs, 0.99), 'ms'),
    figure('CPU per call, worker', perCall(cpuMs.worker), 'ms'),
    figure('CPU per call, temporal', perCall(cpuMs.temporal), 'ms'),
    figure('CPU per call, api', perCall(cpuMs.api), 'ms'),
    figure('CPU per call, postgres', perCall(cpuMs.postgres), 'ms'),
    figure('SQL statements per call', perCall(statements), ''),
    figure('events in the campaign per call', perCall(events), ''),
    figure('runs of the campaign', campaignRuns.length, ''),
    figure('history events per call, median', median(calls.map((call) => call.events.length)), ''),
    figure('cores that other programs kept busy', usage.othersCores, ''),
    figure('load', usage.load, ''),
  ];
}

export interface Growth {
  contacts: number;
  figures: Figure[];
}

/** A row for each figure, a column for each size, and the largest size ÷ the smallest. */
export function growthTable(sizes: readonly Growth[], lines: number): string {
  const [first] = sizes;
  if (first === undefined) return '';
  const heads = sizes.map(({ contacts }) => contacts.toLocaleString('en'));
  const rows = first.figures.map(({ name, unit }, nth) => {
    const values = sizes.map(({ figures }) => figures[nth]?.value ?? NaN);
    const growth = (values.at(-1) ?? NaN) / (values[0] ?? NaN);
    return [name, ...values.map(number), unit, Number.isFinite(growth) ? `${growth.toFixed(2)} x` : ''];
  });
  const title = `contacts on ${lines} lines`;
  return columns(
    [[title, ...heads, '', 'growth'], ...rows],
    [...sizes.map((_size, n) => n + 1), sizes.length + 2],
  );
}

export const flatGrowth = (sizes: readonly Growth[]): Figure[] =>
  sizes.flatMap(({ contacts, figures }) =>
    figures.map((each) => ({ ...each, name: `${contacts} contacts: ${each.name}` })),
  );
