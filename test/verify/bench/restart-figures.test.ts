import { restartFigures } from '../../../verify/bench/restart/restart-figures';

const start = (readyMs: number) => ({ readyMs, cpuMs: readyMs / 2 });
const recovery = (fromReadyMs: number) => ({
  fromKillMs: fromReadyMs + 4000,
  fromStartMs: fromReadyMs + 1500,
  fromReadyMs,
});

const figures = restartFigures({
  worker: [start(1400), start(1600), start(1500)],
  api: [start(2100), start(2300), start(1000)],
  onlyWorker: [recovery(500), recovery(2400), recovery(600)],
  everything: [recovery(-200)],
  idleLinesOfTwo: [
    [30, 1050],
    [40, 1300],
    [50, 900],
  ],
});
const named = (name: string) => figures.find((each) => each.name === name);

test('a process is judged by the median of its starts', () => {
  expect(named('worker: start command to ready, median')).toMatchObject({ value: 1500, holds: true });
  expect(named('API: start command to ready, median')).toMatchObject({ value: 2100, holds: false });
});

test('the next dial is counted from the kill, from the start command and from readiness', () => {
  expect(named('only worker killed: kill to next dial, median')).toMatchObject({ value: 4600, goal: null });
  expect(named('only worker killed: start command to next dial, median')).toMatchObject({ value: 2100 });
  expect(named('only worker killed: ready to next dial, median')).toMatchObject({ value: 600 });
});

test('the slowest of the dials after readiness is held to the goal, where one worker was killed', () => {
  const most = figures.filter(({ name, goal }) => name === '  most' && goal === 2000);
  expect(most).toEqual([expect.objectContaining({ value: 2400, holds: false })]);
});

test('of two workers the longest idle line of the middle round is held to the goal', () => {
  expect(named('one of two workers killed: longest idle line, median')).toMatchObject({
    value: 1050,
    holds: true,
  });
});
