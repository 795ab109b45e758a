import { outcomeOf, type Probe } from '../../../../verify/bench/voice/probes';
import { trackOf, type Spoken } from './tracks';

const span = (fromMs: number, untilMs: number): Spoken => ({ fromMs, untilMs });

const judged = (probe: Probe, caller: readonly Spoken[], agent: readonly Spoken[]) =>
  outcomeOf(probe, { caller: trackOf(caller), agent: trackOf(agent) });

const TURN: Probe = { kind: 'turn', pauseMs: 0, fromMs: 1_000, untilMs: 6_000 };
const HALTING: Probe = { ...TURN, pauseMs: 800 };
const INTERRUPTION: Probe = { kind: 'interruption', fromMs: 3_000, untilMs: 5_000 };
const COUGH = {
  kind: 'disturbance',
  name: 'cough',
  isAnswered: false,
  fromMs: 3_000,
  untilMs: 5_000,
} as const;

describe('a turn', () => {
  test('lasts from the last word to the first sound of the agent', () => {
    const outcome = judged(TURN, [span(1_100, 2_500)], [span(3_230, 5_000)]);
    expect(outcome).toEqual({ kind: 'turn', pauseMs: 0, lastWordMs: 2_500, waitMs: 730 });
  });

  test('has no wait where the agent stays silent', () => {
    expect(judged(TURN, [span(1_100, 2_500)], [])).toMatchObject({ kind: 'turn', waitMs: null });
  });

  test('ends with the last word, not with the pause before it', () => {
    const outcome = judged(HALTING, [span(1_100, 1_700), span(2_500, 3_000)], [span(3_600, 5_000)]);
    expect(outcome).toEqual({ kind: 'turn', pauseMs: 800, lastWordMs: 3_000, waitMs: 600 });
  });

  test('is cut off by an agent that begins in the pause, or over the words after it', () => {
    const caller = [span(1_100, 1_700), span(2_500, 3_000)];
    expect(judged(HALTING, caller, [span(2_300, 2_600)])).toEqual({ kind: 'cut off', pauseMs: 800 });
    expect(judged(HALTING, caller, [span(2_900, 4_000)])).toEqual({ kind: 'cut off', pauseMs: 800 });
  });

  test('is not cut off by what the agent still says of its answer before', () => {
    const outcome = judged(TURN, [span(1_100, 2_500)], [span(800, 1_400), span(3_000, 4_000)]);
    expect(outcome).toMatchObject({ kind: 'turn', waitMs: 500 });
  });

  test('without the caller on the track is an error of the measurement', () => {
    expect(() => judged(TURN, [], [span(3_000, 4_000)])).toThrow('the caller is not on the track');
  });
});

describe('an interruption', () => {
  test('lasts from the first sound of the caller to the last of the agent', () => {
    const outcome = judged(INTERRUPTION, [span(3_050, 4_500)], [span(1_000, 3_400), span(4_900, 6_000)]);
    expect(outcome).toEqual({ kind: 'interruption', stopMs: 350 });
  });

  test('that the agent speaks through has not stopped it', () => {
    const outcome = judged(INTERRUPTION, [span(3_050, 4_500)], [span(1_000, 8_000)]);
    expect(outcome).toEqual({ kind: 'interruption', stopMs: null });
  });

  test.each([
    ['was silent', []],
    ['began after the caller', [span(3_200, 4_800)]],
  ])('of an agent that %s is not measured', (_what, agent) => {
    expect(judged(INTERRUPTION, [span(3_050, 4_500)], agent)).toEqual({
      kind: 'void',
      of: 'interruption',
      why: 'the agent did not speak',
    });
  });
});

describe('a sound that is no turn', () => {
  const [speaksOn, isSilent, resumes] = [
    [span(1_000, 8_000)],
    [span(1_000, 3_600)],
    [span(1_000, 3_600), span(4_500, 8_000)],
  ];

  test.each([
    ['none', 'speaks through it', speaksOn, false],
    ['paused', 'is silent and speaks on', resumes, false],
    ['stopped', 'stays silent', isSilent, false],
    ['stopped', 'answers it', resumes, true],
  ])('has the reaction %s where the agent %s', (reaction, _what, agent, isAnswered) => {
    const outcome = judged({ ...COUGH, isAnswered }, [span(3_050, 3_400)], agent);
    expect(outcome).toEqual({ kind: 'disturbance', name: 'cough', reaction });
  });
});

test('nothing is said of a time in which a part of a track is missing', () => {
  const tracks = {
    caller: trackOf([span(1_100, 2_500)]),
    agent: trackOf([span(3_230, 5_000)], 10_000, { lost: span(3_000, 3_300) }),
  };
  expect(outcomeOf(TURN, tracks)).toMatchObject({ kind: 'void', why: 'a part of a track is missing' });
});
