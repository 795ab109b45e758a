/** Tests the utterances that a recogniser of whole utterances gets from the session's detector. */
import { VADEventType, type VADEvent } from '@livekit/agents';
import { frameOf } from '../../../agent/audio/sdk-frames';
import { NearVoiceDetector, UtteranceSound } from '../../../agent/session/turns/near-voice';
import { RecognisedSpeech, UtteranceDetector } from '../../../agent/session/turns/utterance-detector';
import { initializeLogger } from '@livekit/agents';
import { speechLike } from '../../../dev/model-stand-in/speech';

initializeLogger({ pretty: false, level: 'silent' });

const { INFERENCE_DONE, START_OF_SPEECH, END_OF_SPEECH } = VADEventType;
const NAMES: Partial<Record<VADEventType, string>> = { [START_OF_SPEECH]: 'start', [END_OF_SPEECH]: 'end' };
const MIN_SILENCE_MS = 250;
const WINDOW = 512;

const event = (type: VADEventType): VADEvent => ({
  type,
  samplesIndex: 0,
  timestamp: 0,
  speechDuration: 64,
  silenceDuration: 300,
  frames: [frameOf(new Int16Array(type === INFERENCE_DONE ? WINDOW : 0))],
  probability: 0.9,
  inferenceDuration: 0,
  speaking: true,
  rawAccumulatedSilence: 0,
  rawAccumulatedSpeech: 64,
});

/**
 * Returns the events that are passed on. In `course`, each character is a window, `[` and `]` are the start and end of speech, and `x` is a
 * withheld window.
 */
function recognised(course: string): string[] {
  const speech = new RecognisedSpeech(MIN_SILENCE_MS);
  const sound = new UtteranceSound();
  let nth = 0;
  return [...course].flatMap((each) => {
    nth += 1;
    const type = each === '[' ? START_OF_SPEECH : each === ']' ? END_OF_SPEECH : INFERENCE_DONE;
    const passedOn = speech.filter(event(type), { sound, isWithheld: each === 'x' });
    return passedOn === null ? [] : [`${NAMES[passedOn.type] ?? ''} ${nth}`];
  });
}

test("passes the session's starts and ends of speech to a recogniser", () => {
  expect(recognised('..[.....]...[..]')).toEqual(['start 3', 'end 9', 'start 13', 'end 16']);
});

test('starts an utterance during uninterruptible speech as soon as the sound is no longer withheld', () => {
  expect(recognised('.[xxxxxxxxxxxx]')).toEqual(['start 2', 'end 10']);
  expect(recognised('x[xxxxx...]')).toEqual(['start 2', 'end 11']);
});

test('ends an utterance when enough of its sound is withheld, and starts another afterwards', () => {
  expect(recognised('.[....xxxxxxxxxx...]')).toEqual(['start 2', 'end 14', 'start 17', 'end 20']);
  expect(recognised('.[....xxxxxxxxxx]')).toEqual(['start 2', 'end 14']);
  expect(recognised('.[....xxxxx...]')).toEqual(['start 2', 'end 15']);
});

describe('the session’s detector', () => {
  const SECOND = speechLike(1_000, 16_000);
  /** A second of sound, then more than a second of silence. */
  const SOUND = new Int16Array([...SECOND, ...new Int16Array(70 * WINDOW - SECOND.length)]);

  /** `given` returns what the SDK passes to the recogniser for a window that the session hears. */
  async function heard(given: (window: Int16Array) => Int16Array): Promise<VADEvent[]> {
    const detector = new NearVoiceDetector({ minSilenceMs: MIN_SILENCE_MS });
    const [session, recogniser] = [detector.stream(), new UtteranceDetector(detector).stream()];
    const all: VADEvent[] = [];
    const read = (async () => {
      for await (const each of recogniser) all.push(each);
    })();
    for (let at = 0; at < SOUND.length; at += WINDOW) {
      const window = SOUND.slice(at, at + WINDOW);
      recogniser.pushFrame(frameOf(given(window)));
      session.pushFrame(frameOf(window));
      for (let isHeard = false; !isHeard;) isHeard = (await session.next()).value?.type === INFERENCE_DONE;
    }
    await new Promise(setImmediate);
    recogniser.close();
    session.close();
    await read;
    return all;
  }

  test('passes the sound of an utterance to the recogniser', async () => {
    const [start, end, ...others] = await heard((window) => window);
    expect([start?.type, end?.type, others]).toEqual([START_OF_SPEECH, END_OF_SPEECH, []]);
    const loud = end?.frames[0]?.data.filter((sample) => sample !== 0).length ?? 0;
    expect(loud).toBeGreaterThan(0.9 * SECOND.filter((sample) => sample !== 0).length);
  });

  test('ignores sound that the SDK replaces with silence', async () => {
    expect(await heard((window) => new Int16Array(window.length))).toEqual([]);
  });

  test('omits sound that the SDK replaces in the middle of an utterance', async () => {
    let nth = 0;
    const all = await heard((window) => (++nth > 16 ? new Int16Array(window.length) : window));
    expect(all.map(({ type }) => type)).toEqual([START_OF_SPEECH, END_OF_SPEECH]);
    const samples = all[1]?.frames[0]?.data ?? new Int16Array();
    const loud =
      samples.findLastIndex((sample) => sample !== 0) - samples.findIndex((sample) => sample !== 0);
    expect(loud).toBeLessThanOrEqual(16 * WINDOW);
  });
});
