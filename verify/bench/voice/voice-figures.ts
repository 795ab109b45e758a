/** What is reported of conversations that were measured by their sound. */
import { coveredMs, SILENCE_MS, type Work } from '../../../dev/talk/caller/verdict';
import { figure, type Figure } from '../figure';
import { percentile } from '../percentile';
import { eachMore, type ProcessUse } from '../process-use';
import type { JudgedPause } from './judged-pauses';
import type { Outcome } from './probes';

/** One conversation. */
export interface Measured {
  outcomes: Outcome[];
  /** Of its models, by the clock of the tracks. */
  work: Work[];
  /** How the agent judged its caller's pauses, in order, by the same clock. */
  pauses: JudgedPause[];
}

/** So many conversations at once. */
export interface Step {
  conversations: number;
  measured: Measured[];
  processes: ProcessUse[];
}

export const GOALS = {
  overheadP50Ms: 60,
  overheadP95Ms: 150,
  stopP95Ms: 150,
  residentMib: 120,
  cpuPercent: 8,
} as const;

type Kind<K extends Outcome['kind']> = Extract<Outcome, { kind: K }>;

export function outcomesOf<K extends Outcome['kind']>(
  all: readonly Pick<Measured, 'outcomes'>[],
  kind: K,
): Kind<K>[] {
  const isOne = (outcome: Outcome): outcome is Kind<K> => outcome.kind === kind;
  return all.flatMap(({ outcomes }) => outcomes.filter(isOne));
}

/** Of each answered turn, what is neither the silence that the agent waits for nor its models' work. */
export const overheadsMs = (measured: Measured): number[] =>
  waitsOf(measured).map(({ waitMs, coveredMs: covered }) => waitMs - covered);

/** Of each answered turn that sounded unfinished: by how much the longer silence put off the answer. */
export const waitedForMoreMs = (measured: Measured): number[] =>
  waitsOf(measured).flatMap(({ silenceMs, coveredMs: covered, coveredIfFinishedMs }) =>
    silenceMs > SILENCE_MS ? [covered - coveredIfFinishedMs] : [],
  );

const waitsOf = ({ outcomes, work, pauses }: Measured) =>
  answered([{ outcomes }]).map(({ lastWordMs, waitMs }) => {
    const turn = { spokenAtMs: lastWordMs, answeredAtMs: lastWordMs + waitMs };
    // The last judgement is the one that held.
    const judged = pauses.findLast(({ atMs }) => atMs > lastWordMs && atMs < turn.answeredAtMs);
    const silenceMs = judged?.silenceMs ?? SILENCE_MS;
    return {
      waitMs,
      silenceMs,
      coveredMs: coveredMs(turn, work, silenceMs),
      coveredIfFinishedMs: coveredMs(turn, work),
    };
  });

const answered = (all: readonly Pick<Measured, 'outcomes'>[]): (Kind<'turn'> & { waitMs: number })[] =>
  outcomesOf(all, 'turn').flatMap((turn) => (turn.waitMs === null ? [] : [{ ...turn, waitMs: turn.waitMs }]));

export function stepFigures(step: Step, idle: readonly ProcessUse[]): Figure[] {
  const { conversations, measured } = step;
  const at = `${conversations} at once`;
  const waits = answered(measured).map(({ waitMs }) => waitMs);
  const overheads = measured.flatMap(overheadsMs);
  const waitedForMore = measured.flatMap(waitedForMoreMs);
  const interruptions = outcomesOf(measured, 'interruption');
  const stops = interruptions.flatMap(({ stopMs }) => stopMs ?? []);
  return [
    figure(`${at}: last word to first sound, p50 of ${waits.length}`, percentile(waits, 0.5), 'ms'),
    figure(`${at}: last word to first sound, p95`, percentile(waits, 0.95), 'ms'),
    figure(`${at}: own overhead, p50`, percentile(overheads, 0.5), 'ms', GOALS.overheadP50Ms),
    figure(`${at}: own overhead, p95`, percentile(overheads, 0.95), 'ms', GOALS.overheadP95Ms),
    figure(`${at}: turns taken for unfinished, of ${waits.length}`, waitedForMore.length, ''),
    ...(waitedForMore.length === 0
      ? []
      : [figure(`${at}: waited longer for one, p50`, percentile(waitedForMore, 0.5), 'ms')]),
    figure(`${at}: interrupted to silent, p50 of ${stops.length}`, percentile(stops, 0.5), 'ms'),
    figure(`${at}: interrupted to silent, p95`, percentile(stops, 0.95), 'ms', GOALS.stopP95Ms),
    figure(`${at}: interruptions that did not stop it`, interruptions.length - stops.length, '', 0),
    figure(`${at}: turns not answered`, outcomesOf(measured, 'turn').length - waits.length, '', 0),
    ...notMeasured(at, measured),
    ...useFigures(at, step, idle),
  ];
}

/** What each conversation adds to the agent's processes. */
function useFigures(at: string, { processes, conversations }: Step, idle: readonly ProcessUse[]): Figure[] {
  const goals: Readonly<Record<string, number>> = { MiB: GOALS.residentMib, '% of a core': GOALS.cpuPercent };
  return eachMore(processes, idle, conversations, 'conversation')
    .filter(({ name }) => name.startsWith('agent'))
    .map(({ name, value, unit }) => figure(`${at}: ${name}`, value, unit, goals[unit] ?? null));
}

/** The agent was silent where it had to speak, after a stop before or on a machine that is full; or the callers' own process was late. */
function notMeasured(at: string, measured: readonly Measured[]): Figure[] {
  const voids = outcomesOf(measured, 'void');
  return [...new Set(voids.map(({ why }) => why))].map((why) =>
    figure(`${at}: not measured, ${why}`, voids.filter((one) => one.why === why).length, ''),
  );
}

/** How often the agent was wrong about the caller's turn, of all conversations. */
export function mistakeFigures(name: string, measured: readonly Pick<Measured, 'outcomes'>[]): Figure[] {
  const disturbances = outcomesOf(measured, 'disturbance');
  const names = [...new Set(disturbances.map((one) => one.name))].sort();
  const cutOffs = outcomesOf(measured, 'cut off');
  const sentences = [...cutOffs, ...outcomesOf(measured, 'turn')];
  const pauses = [...new Set(sentences.map(({ pauseMs }) => pauseMs))].sort((one, other) => one - other);
  return [
    ...pauses.map((pauseMs) => {
      const [cut, all] = [cutOffs, sentences].map(
        (each) => each.filter((one) => one.pauseMs === pauseMs).length,
      );
      const where = pauseMs === 0 ? 'without a pause' : `with a pause of ${pauseMs / 1000} s`;
      return figure(`${name}: cut off in a sentence ${where}, of ${all}`, cut ?? NaN, '');
    }),
    ...names.flatMap((each) => {
      const some = disturbances.filter((one) => one.name === each);
      const [stopped, paused] = (['stopped', 'paused'] as const).map(
        (one) => some.filter(({ reaction }) => reaction === one).length,
      );
      return [
        figure(`${name}: stopped by a ${each}, of ${some.length}`, stopped ?? NaN, '', 0),
        figure(`${name}: paused for a ${each}`, paused ?? NaN, ''),
      ];
    }),
  ];
}
