import { figure, type Figure } from '../figure';
import { median } from '../percentile';
import type { Recovery, Restarts, Start } from './measure-restarts';

const GOALS = { readyMs: 2_000, afterReadyMs: 2_000, idleLineOfTwoMs: 1_100 } as const;

export function restartFigures({ worker, api, onlyWorker, everything, idleLinesOfTwo }: Restarts): Figure[] {
  return [
    ...startFigures('worker', worker),
    ...startFigures('API', api),
    ...recoveryFigures('only worker killed', onlyWorker, GOALS.afterReadyMs),
    ...recoveryFigures('everything killed', everything, null),
    figure(
      'one of two workers killed: longest idle line, median',
      median(idleLinesOfTwo.map((idleMs) => Math.max(...idleMs))),
      'ms',
      GOALS.idleLineOfTwoMs,
    ),
    figure('  most', Math.max(...idleLinesOfTwo.flat()), 'ms'),
  ];
}

function startFigures(name: string, starts: readonly Start[]): Figure[] {
  const readyMs = starts.map((start) => start.readyMs);
  return [
    figure(`${name}: start command to ready, median`, median(readyMs), 'ms', GOALS.readyMs),
    figure('  most', Math.max(...readyMs), 'ms'),
    figure('  CPU until then, median', median(starts.map(({ cpuMs }) => cpuMs)), 'ms'),
  ];
}

function recoveryFigures(name: string, recoveries: readonly Recovery[], goal: number | null): Figure[] {
  const span = (of: (recovery: Recovery) => number) => recoveries.map(of);
  const pair = (what: string, values: readonly number[], most: number | null) => [
    figure(`${name}: ${what} to next dial, median`, median(values), 'ms'),
    figure('  most', Math.max(...values), 'ms', most),
  ];
  return [
    ...pair(
      'kill',
      span(({ fromKillMs }) => fromKillMs),
      null,
    ),
    ...pair(
      'start command',
      span(({ fromStartMs }) => fromStartMs),
      null,
    ),
    ...pair(
      'ready',
      span(({ fromReadyMs }) => fromReadyMs),
      goal,
    ),
  ];
}
