/** When the agent's speech is held, and when it goes on. */
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
  /** Whether it speaks on within so long. */
  const releasesWithin = (ms: number): boolean => {
    jest.advanceTimersByTime(ms);
    return done.at(-1) === 'release';
  };
  return { interruption, done, releasesWithin };
}

test('speech is held as soon as a sound begins', () => {
  expect(started().done).toEqual(['hold']);
});

test('a sound that may begin speech holds it, and no longer than until that is certain', () => {
  const { interruption, done, releasesWithin } = started();
  interruption.speechEnded();
  interruption.overheard();
  expect(releasesWithin(0)).toBe(true);
  interruption.voiceHeard();
  expect(done.at(-1)).toBe('hold');
  expect(releasesWithin(99)).toBe(false);
  expect(releasesWithin(1)).toBe(true);
  interruption.voiceHeard();
  interruption.speechStarted();
  expect(releasesWithin(1_000)).toBe(false);
});

test('it goes on half a second after a sound without words, where words come while they are spoken', () => {
  const { interruption, releasesWithin } = started({ hasInterimWords: true });
  interruption.speechEnded();
  expect(releasesWithin(499)).toBe(false);
  expect(releasesWithin(1)).toBe(true);
});

test('where words come at the end of a sound, it goes on once recognition is through without any', () => {
  const { interruption, releasesWithin } = started();
  interruption.speechEnded();
  expect(releasesWithin(1_000)).toBe(false);
  interruption.recognised();
  expect(releasesWithin(100)).toBe(true);
});

test('it goes on at once after a backchannel', () => {
  const { interruption, releasesWithin } = started();
  interruption.speechEnded();
  interruption.overheard();
  expect(releasesWithin(0)).toBe(true);
});

test('it waits for whoever is still speaking after a backchannel', () => {
  const { interruption, releasesWithin } = started({ hasInterimWords: true });
  interruption.overheard();
  expect(releasesWithin(1_000)).toBe(false);
});

test('words are waited for until they are final, and no longer than two seconds', () => {
  const { interruption, releasesWithin } = started({ hasInterimWords: true });
  interruption.wordsHeard();
  expect(releasesWithin(5_000)).toBe(false);
  interruption.speechEnded();
  interruption.overheard();
  expect(releasesWithin(1_999)).toBe(false);
  expect(releasesWithin(1)).toBe(true);
});

test.each([
  [true, 1_500],
  [false, 10_000],
])('a sound that does not end holds no speech for good (interim words: %s)', (hasInterimWords, limitMs) => {
  const { releasesWithin } = started({ hasInterimWords });
  expect(releasesWithin(limitMs - 1)).toBe(false);
  expect(releasesWithin(1)).toBe(true);
});

test('the next sound starts anew', () => {
  const { interruption, done, releasesWithin } = started();
  interruption.speechEnded();
  jest.advanceTimersByTime(1_900);
  interruption.speechStarted();
  expect(releasesWithin(9_999)).toBe(false);
  expect(done).toEqual(['hold', 'hold']);
});

test('speech that is not held is not released, nor any after the end of the conversation', () => {
  const other = started({ isHoldable: false });
  other.interruption.speechEnded();
  expect(other.releasesWithin(60_000)).toBe(false);
  const { interruption, releasesWithin } = started();
  interruption.stop();
  interruption.recognised();
  expect(releasesWithin(60_000)).toBe(false);
});
