/** When the agent's speech is held, and when it resumes. */
import { Interruption } from '../../../agent/session/turns/interruption';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

function started({ hasInterimWords = false, isHoldable = true } = {}) {
  const done: string[] = [];
  const interruption = new Interruption({
    hasInterimWords,
    hold: () => {
      done.push('hold');
      return isHoldable;
    },
    release: () => done.push('release'),
  });
  interruption.speechStarted();
  /** Returns whether speech resumes within the time. */
  const releasesWithin = (ms: number): boolean => {
    jest.advanceTimersByTime(ms);
    return done.at(-1) === 'release';
  };
  return { interruption, done, releasesWithin };
}

test('holds speech as soon as a sound begins', () => {
  expect(started().done).toEqual(['hold']);
});

test('holds speech for a possible voice only until it is certain', () => {
  const { interruption, done, releasesWithin } = started();
  interruption.speechEnded();
  interruption.wordsDropped();
  expect(releasesWithin(0)).toBe(true);
  interruption.voiceHeard();
  expect(done.at(-1)).toBe('hold');
  expect(releasesWithin(99)).toBe(false);
  expect(releasesWithin(1)).toBe(true);
  interruption.voiceHeard();
  interruption.speechStarted();
  expect(releasesWithin(1_000)).toBe(false);
});

test('resumes half a second after a sound without words, with interim results', () => {
  const { interruption, releasesWithin } = started({ hasInterimWords: true });
  interruption.speechEnded();
  expect(releasesWithin(499)).toBe(false);
  expect(releasesWithin(1)).toBe(true);
});

test('resumes once recognition finds no words, without interim results', () => {
  const { interruption, releasesWithin } = started();
  interruption.speechEnded();
  expect(releasesWithin(1_000)).toBe(false);
  interruption.recognised();
  expect(releasesWithin(100)).toBe(true);
});

test('resumes immediately after a backchannel', () => {
  const { interruption, releasesWithin } = started();
  interruption.speechEnded();
  interruption.wordsDropped();
  expect(releasesWithin(0)).toBe(true);
});

test('keeps holding while the user speaks on after a backchannel', () => {
  const { interruption, releasesWithin } = started({ hasInterimWords: true });
  interruption.wordsDropped();
  expect(releasesWithin(1_000)).toBe(false);
});

test('waits at most two seconds for words to become final', () => {
  const { interruption, releasesWithin } = started({ hasInterimWords: true });
  interruption.wordsHeard();
  expect(releasesWithin(5_000)).toBe(false);
  interruption.speechEnded();
  interruption.wordsDropped();
  expect(releasesWithin(1_999)).toBe(false);
  expect(releasesWithin(1)).toBe(true);
});

test.each([
  [true, 1_500],
  [false, 10_000],
])('resumes eventually during an endless sound (interim words: %s)', (hasInterimWords, limitMs) => {
  const { releasesWithin } = started({ hasInterimWords });
  expect(releasesWithin(limitMs - 1)).toBe(false);
  expect(releasesWithin(1)).toBe(true);
});

test('starts over with the next sound', () => {
  const { interruption, done, releasesWithin } = started();
  interruption.speechEnded();
  jest.advanceTimersByTime(1_900);
  interruption.speechStarted();
  expect(releasesWithin(9_999)).toBe(false);
  expect(done).toEqual(['hold', 'hold']);
});

test('releases neither unheld speech nor any after the end of the conversation', () => {
  const other = started({ isHoldable: false });
  other.interruption.speechEnded();
  expect(other.releasesWithin(60_000)).toBe(false);
  const { interruption, releasesWithin } = started();
  interruption.stop();
  interruption.recognised();
  expect(releasesWithin(60_000)).toBe(false);
});
