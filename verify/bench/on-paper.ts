/** Calculates the table "On paper" of docs/scaling.md from what a call costs under load. */
import { markdownTable } from '../../dev/pages/tables';

/** CPU time per call in milliseconds, while the machine begins as many calls as it can. */
export interface LoadedCall {
  begunPerSecond: number;
  workerMs: number;
  /** Only one thread of a process runs a given kind of JavaScript, so its busiest thread limits the process. */
  workerThreadMs: number;
  apiMs: number;
  apiThreadMs: number;
  temporalMs: number;
  temporalPostgresMs: number;
  postgresMs: number;
}

const RATES = [10, 100, 1_000];
/** Leaves a third of each core free. */
const BUSY_SHARE = 2 / 3;
const DOLLARS_PER_CORE_HOUR = 0.04;
/** The platform continues to work if one process ends. */
const LEAST_PROCESSES = 2;

/** Returns a Markdown table with a column for each rate. */
export function onPaper(call: LoadedCall): string {
  const cores = (ms: number, rate: number) => (ms * rate) / 1000 / BUSY_SHARE;
  const shown = (value: number) => (value >= 10 ? value.toFixed(0) : value.toFixed(1));
  const processes = (threadMs: number, rate: number) =>
    Math.max(LEAST_PROCESSES, Math.ceil(cores(threadMs, rate)));
  const totalMs = call.workerMs + call.apiMs + call.temporalMs + call.temporalPostgresMs + call.postgresMs;
  const allCores = (rate: number) => Math.ceil(cores(totalMs, rate));
  const millionCalls = (rate: number) => ((allCores(rate) * DOLLARS_PER_CORE_HOUR) / 3600 / rate) * 1e6;
  const part = (ms: number, threadMs: number, rate: number) =>
    `${processes(threadMs, rate)}, ${shown(cores(ms, rate))} cores in total`;
  const row = (name: string, value: (rate: number) => string) => [name, ...RATES.map(value)];
  const table = markdownTable(
    row('calls started per second', (rate) => rate.toLocaleString('en')),
    [
      row('APIs', (rate) => part(call.apiMs, call.apiThreadMs, rate)),
      row('workers', (rate) => part(call.workerMs, call.workerThreadMs, rate)),
      row('Temporal', (rate) => `${shown(cores(call.temporalMs, rate))} cores`),
      row("Temporal's Postgres", (rate) => `${shown(cores(call.temporalPostgresMs, rate))} cores`),
      row("the platform's Postgres", (rate) => `${shown(cores(call.postgresMs, rate))} cores`),
      row('all of these', (rate) => `${allCores(rate)} cores`),
      row('a million calls', (rate) => `$${millionCalls(rate).toFixed(2)}`),
    ],
  );
  return `${table}\n\nOne worker: ${shown(1000 / call.workerThreadMs)} calls/s. One API: ${shown(1000 / call.apiThreadMs)} calls/s.`;
}
