import type { Outcome } from '../../../../verify/bench/voice/probes';
import {
  mistakeFigures,
  overheadsMs,
  stepFigures,
  type Measured,
} from '../../../../verify/bench/voice/voice-figures';

const turn = (waitMs: number | null, pauseMs = 0): Outcome => ({
  kind: 'turn',
  pauseMs,
  lastWordMs: 10_000,
  waitMs,
});

const valueOf = (figures: readonly { name: string; value: number }[], name: string): number =>
  figures.find((one) => one.name.startsWith(name))?.value ?? NaN;

test('the agent’s own share is the wait without the silence of half a second and the work of its models', () => {
  const work = [
    // Recognition of before the last word, which is no part of the wait, and of in the silence, which counts once.
    { fromMs: 9_000, ms: 500 },
    { fromMs: 10_300, ms: 300 },
    { fromMs: 10_620, ms: 200 },
  ];
  expect(overheadsMs({ outcomes: [turn(900), turn(null)], work })).toEqual([100]);
});

test('conversations at once are one population, and what could not be measured is named', () => {
  const measured: Measured[] = [
    { outcomes: [turn(800), { kind: 'interruption', stopMs: 120 }, turn(null)], work: [] },
    {
      outcomes: [
        turn(700),
        { kind: 'interruption', stopMs: null },
        { kind: 'void', of: 'interruption', why: 'the agent did not speak' },
      ],
      work: [],
    },
  ];
  const figures = stepFigures({ conversations: 2, measured, processes: [] }, []);
  expect(valueOf(figures, '2 at once: last word to first sound, p50 of 2')).toBe(700);
  expect(valueOf(figures, '2 at once: own overhead, p95')).toBe(300);
  expect(valueOf(figures, '2 at once: interrupted to silent, p50 of 1')).toBe(120);
  expect(valueOf(figures, '2 at once: interruptions that did not stop it')).toBe(1);
  expect(valueOf(figures, '2 at once: turns not answered')).toBe(1);
  expect(valueOf(figures, '2 at once: not measured')).toBe(1);
});

test('nothing that was measured is an error, not a good figure', () => {
  expect(() => stepFigures({ conversations: 1, measured: [], processes: [] }, [])).toThrow(
    'could not be measured',
  );
});

test('mistakes are counted by the length of the pause and by the sound', () => {
  const outcomes: Outcome[] = [
    turn(700),
    turn(700, 400),
    { kind: 'cut off', pauseMs: 400 },
    { kind: 'disturbance', name: 'cough', isStopped: true },
    { kind: 'disturbance', name: 'cough', isStopped: false },
    { kind: 'disturbance', name: 'hm', isStopped: false },
  ];
  const figures = mistakeFigures('all', [{ outcomes }]);
  expect(figures.map(({ name, value }) => [name, value])).toEqual([
    ['all: cut off in a sentence without a pause, of 1', 0],
    ['all: cut off in a sentence with a pause of 0.4 s, of 2', 1],
    ['all: stopped by a cough, of 2', 1],
    ['all: stopped by a hm, of 1', 0],
  ]);
});
