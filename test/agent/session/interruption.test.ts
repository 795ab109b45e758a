/** Tests when the agent's speech is held and when it resumes. */
import { Interruption, withoutBackchannels, type OverAgent } from '../../../agent/session/turns/interruption';
import { ReadableStream } from 'node:stream/web';
import { stt } from '@livekit/agents';
import { OverlapWords } from '../../../agent/session/turns/overlap-words';

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
  /** Returns true if speech resumes within the time. */
  const releasesWithin = (ms: number): boolean => {
    jest.advanceTimersByTime(ms);
    return done.at(-1) === 'release';
  };
  return { interruption, done, releasesWithin };
}

test('holds speech as soon as a sound begins', () => {
  expect(started().done).toEqual(['hold']);
});

test('holds speech for a possible voice only until the detector is certain', () => {
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

test('resumes half a second after a sound without words if the recogniser gives interim results', () => {
  const { interruption, releasesWithin } = started({ hasInterimWords: true });
  interruption.speechEnded();
  expect(releasesWithin(499)).toBe(false);
  expect(releasesWithin(1)).toBe(true);
});

test('resumes only once no words are recognised if the recogniser gives no interim results', () => {
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

test('keeps holding speech while the user continues after a backchannel', () => {
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

test('treats the next sound independently', () => {
  const { interruption, done, releasesWithin } = started();
  interruption.speechEnded();
  jest.advanceTimersByTime(1_900);
  interruption.speechStarted();
  expect(releasesWithin(9_999)).toBe(false);
  expect(done).toEqual(['hold', 'hold']);
});

test('resumes neither speech that was not held nor speech after the end of the conversation', () => {
  const other = started({ isHoldable: false });
  other.interruption.speechEnded();
  expect(other.releasesWithin(60_000)).toBe(false);
  const { interruption, releasesWithin } = started();
  interruption.stop();
  interruption.recognised();
  expect(releasesWithin(60_000)).toBe(false);
});

const heard = (type: stt.SpeechEventType, text: string): stt.SpeechEvent => ({
  type,
  alternatives: [{ text, language: 'en', startTime: 0, endTime: 0, confidence: 1 }] as never,
});

async function left(events: readonly stt.SpeechEvent[], more: Partial<OverAgent> = {}): Promise<string[]> {
  jest.useRealTimers();
  const over = {
    isAgentSpeaking: () => true,
    isQuiet: () => false,
    onWords: () => undefined,
    words: new OverlapWords({ first: 'en', second: null, detects: false }),
    spokenMs: () => 900,
    onDropped: () => undefined,
    ...more,
  };
  const texts: string[] = [];
  for await (const event of withoutBackchannels(ReadableStream.from(events), over))
    texts.push(typeof event === 'string' ? event : (event.alternatives?.[0]?.text ?? '-'));
  return texts;
}

const { FINAL_TRANSCRIPT, INTERIM_TRANSCRIPT, START_OF_SPEECH } = stt.SpeechEventType;

test("drops transcripts of backchannels during the agent's speech, and keeps all other events", async () => {
  const heardOver: string[] = [];
  const events = [
    { type: START_OF_SPEECH },
    heard(INTERIM_TRANSCRIPT, 'yes'),
    heard(INTERIM_TRANSCRIPT, 'yes but'),
    heard(FINAL_TRANSCRIPT, 'Okay.'),
    heard(FINAL_TRANSCRIPT, ''),
    heard(FINAL_TRANSCRIPT, 'Stop.'),
  ];
  const reports = {
    onWords: () => heardOver.push('words'),
    onDropped: () => heardOver.push('dropped'),
  };
  expect(await left(events, reports)).toEqual(['-', 'yes but', '', 'Stop.']);
  expect(heardOver).toEqual(['words', 'dropped', 'words']);
});

test('keeps words that become final after the agent has finished', async () => {
  expect(await left([heard(FINAL_TRANSCRIPT, 'Yes.')], { isAgentSpeaking: () => false })).toEqual(['Yes.']);
});

test("drops words of a distant voice during the agent's speech", async () => {
  const events = [heard(INTERIM_TRANSCRIPT, 'the news'), heard(FINAL_TRANSCRIPT, 'the news at ten')];
  expect(await left(events, { isQuiet: () => true })).toEqual([]);
  expect(await left(events, { isQuiet: () => true, isAgentSpeaking: () => false })).toHaveLength(2);
});

test('drops words if the sound is too short for them, except words that always interrupt', async () => {
  let dropped = 0;
  const events = [heard(FINAL_TRANSCRIPT, 'And...'), heard(FINAL_TRANSCRIPT, 'Wait.')];
  const short = { spokenMs: () => 250, onDropped: () => (dropped += 1) };
  expect(await left(events, short)).toEqual(['Wait.']);
  expect(dropped).toBe(1);
  expect(await left(events, { ...short, isAgentSpeaking: () => false })).toHaveLength(2);
});
