import type { Outcome } from '../../../../verify/bench/voice/probes';
import {
  mistakeFigures,
  overheadsMs,
  stepFigures,
  waitedForMoreMs,
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
  expect(overheadsMs({ outcomes: [turn(900), turn(null)], work, pauses: [] })).toEqual([100]);
});

test('the longer silence of a turn that sounded unfinished is no overhead, and is named with what it cost', () => {
  const work = [{ fromMs: 10_300, ms: 300 }];
  const judgedAt = (atMs: number, silenceMs: number) => ({ atMs, silenceMs });
  const unfinished: Measured = {
    outcomes: [turn(1_900)],
    work: [...work, { fromMs: 11_500, ms: 250 }],
    // The last one before the answer holds: not that of the pause in the sentence, nor that of the next turn.
    pauses: [judgedAt(9_000, 500), judgedAt(10_550, 1_500), judgedAt(12_000, 500)],
  };
  expect(overheadsMs(unfinished)).toEqual([150]);
  // Of the 1,900 ms, 1,750 are covered; without it 600 of silence and recognition, and 250 of a model.
  expect(waitedForMoreMs(unfinished)).toEqual([900]);
  const finished: Measured = {
    outcomes: [turn(900), { kind: 'interruption', stopMs: 120 }],
    work,
    pauses: [judgedAt(9_000, 1_500), judgedAt(10_550, 500)],
  };
  expect(overheadsMs(finished)).toEqual([300]);
  expect(waitedForMoreMs(finished)).toEqual([]);
  const figures = stepFigures({ conversations: 2, measured: [unfinished, finished], processes: [] }, []);
  expect(valueOf(figures, '2 at once: turns taken for unfinished, of 2')).toBe(1);
  expect(valueOf(figures, '2 at once: waited longer for one')).toBe(900);
});

test('conversations at once are one population, and what could not be measured is named', () => {
  const measured: Measured[] = [
    { outcomes: [turn(800), { kind: 'interruption', stopMs: 120 }, turn(null)], work: [], pauses: [] },
    {
      outcomes: [
        turn(700),
        { kind: 'interruption', stopMs: null },
        { kind: 'void', of: 'interruption', why: 'the agent did not speak' },
      ],
      work: [],
      pauses: [],
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
    { kind: 'disturbance', name: 'cough', reaction: 'stopped' },
    { kind: 'disturbance', name: 'cough', reaction: 'none' },
    { kind: 'disturbance', name: 'hm', reaction: 'paused' },
  ];
  const figures = mistakeFigures('all', [{ outcomes }]);
  expect(figures.map(({ name, value }) => [name, value])).toEqual([
    ['all: cut off in a sentence without a pause, of 1', 0],
    ['all: cut off in a sentence with a pause of 0.4 s, of 2', 1],
    ['all: stopped by a cough, of 2', 1],
    ['all: paused for a cough', 0],
    ['all: stopped by a hm, of 1', 0],
    ['all: paused for a hm', 1],
  ]);
});
