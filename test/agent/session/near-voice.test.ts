/** Tests how background voices are told apart from the user's voice by their level while the agent speaks. */
import { VADEventType, type VADEvent, initializeLogger } from '@livekit/agents';
import { frameOf } from '../../../agent/audio/sdk-frames';
import {
  NearSpeech,
  NearVoiceDetector,
  VOICE_TAIL_MS,
  OverlapDuration,
  UtteranceSound,
} from '../../../agent/session/turns/near-voice';
import { speechLike } from '../../../dev/model-stand-in/speech';

initializeLogger({ pretty: false, level: 'silent' });

const { INFERENCE_DONE, START_OF_SPEECH, END_OF_SPEECH } = VADEventType;
const NAMES = { [START_OF_SPEECH]: 'start', [END_OF_SPEECH]: 'end' } as Record<number, string>;
const LOUD = 8_000;
const FAR = LOUD / 10;

const event = (type: VADEventType, loudness = 0, more: Partial<VADEvent> = {}): VADEvent => ({
  type,
  samplesIndex: 0,
  timestamp: 0,
  speechDuration: 64,
  silenceDuration: 0,
  frames: [frameOf(new Int16Array(512).fill(loudness))],
  probability: loudness === 0 ? 0 : 0.9,
  inferenceDuration: 0,
  speaking: true,
  rawAccumulatedSilence: 0,
  rawAccumulatedSpeech: 64,
  ...more,
});

/** Enough silence for the detector to report the end of speech. */
const SILENCE = Array.from({ length: 8 }, () => event(INFERENCE_DONE));

class Line {
  isAgentSpeaking = false;
  /** How many windows may have begun speech. */
  times = 0;
  readonly near = new NearSpeech(
    () => this.isAgentSpeaking,
    () => (this.times += 1),
  );

  /** Plays one window per loudness. Returns the starts and ends of speech that were passed on. */
  hear(...loudness: number[]): string[] {
    const events = loudness.flatMap((each, nth) => [
      event(INFERENCE_DONE, each),
      ...(nth === 1 ? [event(START_OF_SPEECH)] : []),
    ]);
    return [...events, ...SILENCE, event(END_OF_SPEECH)]
      .flatMap((each) => this.near.filter(each))
      .flatMap(({ type }) => NAMES[type] ?? []);
  }

  /** Plays windows of a sound, and returns the events for the SDK. */
  windows(...loudness: number[]): readonly VADEvent[] {
    return loudness.flatMap((each) => this.near.filter(event(INFERENCE_DONE, each)));
  }
}

function afterTheirTurn(): Line {
  const line = new Line();
  line.hear(...Array<number>(30).fill(LOUD));
  line.isAgentSpeaking = true;
  return line;
}

test("ignores a voice during the agent's speech that is 20 dB quieter than the user's voice", () => {
  const line = afterTheirTurn();
  expect(line.hear(FAR, FAR, FAR, FAR)).toEqual([]);
  expect(line.windows(FAR)).toMatchObject([{ speaking: false, speechDuration: 0, rawAccumulatedSpeech: 0 }]);
  expect(line.hear(LOUD, LOUD, LOUD)).toEqual(['start', 'end']);
});

test("accepts a quiet syllable of the user's voice that is 10 dB quieter", () => {
  expect(afterTheirTurn().hear(LOUD / 3, LOUD / 3, LOUD / 3)).toEqual(['start', 'end']);
});

test('starts speech once a distant voice comes near, and ends it when the voice moves away again', () => {
  expect(afterTheirTurn().hear(FAR, FAR, FAR, LOUD, FAR)).toEqual(['start', 'end']);
});

test('accepts every voice while the agent is silent, and before the user has spoken', () => {
  const line = afterTheirTurn();
  line.isAgentSpeaking = false;
  expect(line.hear(FAR, FAR)).toEqual(['start', 'end']);
  const greeting = new Line();
  greeting.isAgentSpeaking = true;
  expect(greeting.hear(FAR, FAR)).toEqual(['start', 'end']);
});

test('places the end of speech at its last sound, although the detector reports the voice for longer', () => {
  const near = new NearSpeech(() => false);
  near.filter(event(START_OF_SPEECH));
  expect(near.filter(event(END_OF_SPEECH, 0, { silenceDuration: 256 }))).toMatchObject([
    { type: END_OF_SPEECH, silenceDuration: 256 + VOICE_TAIL_MS },
  ]);
});

test('reports the first window of a near voice before speech is certain, but ignores a distant voice', () => {
  const line = new Line();
  line.windows(...Array<number>(30).fill(LOUD));
  expect(line.times).toBe(0);
  line.isAgentSpeaking = true;
  const noticed = [0, FAR, LOUD].map((loudness) => {
    line.windows(loudness);
    return line.times;
  });
  expect(noticed).toEqual([0, 0, 1]);
});

test("keeps the level of the user's voice when the detector still reports speech during digital silence", () => {
  const line = new Line();
  line.windows(...Array<number>(30).fill(LOUD));
  for (let nth = 0; nth < 3; nth += 1) line.near.filter(event(INFERENCE_DONE, 0, { probability: 0.9 }));
  line.isAgentSpeaking = true;
  expect(line.hear(FAR, FAR)).toEqual([]);
});

test("holds the agent's speech for one loud window of a distant voice, without starting speech", () => {
  const line = afterTheirTurn();
  expect(line.hear(FAR, FAR, LOUD * 0.3, FAR, FAR)).toEqual([]);
  expect(line.times).toBe(1);
});

test('detects a leading "s" that is 18 dB quieter than the voice, because of its high frequencies', () => {
  const line = afterTheirTurn();
  const hiss = Int16Array.from({ length: 512 }, (_none, at) => (at % 2 === 0 ? 1 : -1) * LOUD * 0.126);
  line.near.filter(event(INFERENCE_DONE, 0, { probability: 0.9, frames: [frameOf(hiss)] }));
  expect(line.times).toBe(1);
});

test("measures how long a near voice overlaps the agent's speech, and ignores a distant voice", () => {
  const line = afterTheirTurn();
  line.hear(FAR, FAR, FAR, FAR);
  expect(line.near.overlapMs).toBe(0);
  line.hear(LOUD, LOUD, LOUD);
  expect(line.near.overlapMs).toBe(96);
});

test('adapts to a quieter speaker after 15 seconds of speech', () => {
  const line = afterTheirTurn();
  line.isAgentSpeaking = false;
  line.hear(...Array<number>(500).fill(FAR));
  line.isAgentSpeaking = true;
  expect(line.hear(FAR, FAR)).toEqual(['start', 'end']);
});

test('reports speech-like sound once, and ignores distant sound while the agent speaks', async () => {
  const detector = new NearVoiceDetector({ minSilenceMs: 250 });
  /** A second of sound, then more than a second of silence. */
  const WINDOWS = 70;
  let isAgentSpeaking = false;
  detector.isAgentSpeaking = () => isAgentSpeaking;
  const stream = detector.stream();
  const push = (samples: Int16Array): void => {
    for (let at = 0; at < samples.length; at += 320) stream.pushFrame(frameOf(samples.slice(at, at + 320)));
  };
  let sound: VADEvent['frames'] = [];
  const heard = async (share: number): Promise<string[]> => {
    const second = speechLike(1_000, 16_000).map((sample) => Math.round(sample * share));
    push(new Int16Array([...second, ...new Int16Array(WINDOWS * 512 - 16_000)]));
    const names: string[] = [];
    for (let windows = 0; windows < WINDOWS;) {
      const { value } = await stream.next();
      if (value.type === END_OF_SPEECH) sound = value.frames;
      if (value.type === INFERENCE_DONE) windows += 1;
      else names.push(NAMES[value.type] ?? '');
    }
    return names;
  };
  expect(await heard(1)).toEqual(['start', 'end']);
  isAgentSpeaking = true;
  expect(await heard(0.1)).toEqual([]);
  isAgentSpeaking = false;
  expect(await heard(0.1)).toEqual(['start', 'end']);
  // The sound must contain half a second of silence, the sound once, and the silence that ended it. The SDK's own buffer would begin with
  // the end of the sound.
  const [whole = frameOf(new Int16Array())] = sound;
  expect(sound).toHaveLength(1);
  const loud = Array.from({ length: whole.data.length / 512 }, (_none, nth) =>
    whole.data.subarray(nth * 512, (nth + 1) * 512).some((sample) => sample !== 0),
  );
  expect(loud.indexOf(true)).toBeGreaterThanOrEqual(15);
  expect(loud.lastIndexOf(true) - loud.indexOf(true)).toBeLessThanOrEqual(32);
  stream.close();
});

function windows(over: OverlapDuration, count: number, isVoice: boolean, isAgentSpeaking = true): number {
  for (let nth = 0; nth < count; nth += 1) over.add(32, { isVoice, isAgentSpeaking });
  return over.ms;
}

test("counts how long a voice overlaps the agent's speech, leaving out short silences", () => {
  const over = new OverlapDuration();
  expect(windows(over, 10, true)).toBe(320);
  expect(windows(over, 40, false)).toBe(320);
  expect(windows(over, 10, true)).toBe(640);
});

test('resets after two seconds of silence', () => {
  const over = new OverlapDuration();
  windows(over, 10, true);
  expect(windows(over, 63, false)).toBe(320);
  expect(windows(over, 1, true)).toBe(32);
});

test('resets to zero and ignores voices while the agent is silent', () => {
  const over = new OverlapDuration();
  windows(over, 10, true);
  expect(windows(over, 30, true, false)).toBe(0);
  expect(windows(over, 2, true)).toBe(64);
});

/** Adds windows whose samples all contain the number of the window. */
const hear = (sound: UtteranceSound, from: number, to: number): void => {
  for (let nth = from; nth <= to; nth += 1) sound.add(frameOf(new Int16Array(512).fill(nth)));
};
const numbers = ({ data }: ReturnType<UtteranceSound['end']>): number[] =>
  [...data].filter((_sample, at) => at % 512 === 0);
const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_none, nth) => from + nth);

test('keeps the half second before speech was detected, and everything until speech ends', () => {
  const sound = new UtteranceSound();
  hear(sound, 1, 100);
  sound.start();
  hear(sound, 101, 130);
  expect(numbers(sound.end())).toEqual(range(83, 130));
});

test('excludes audio of the previous utterance', () => {
  const sound = new UtteranceSound();
  hear(sound, 1, 20);
  sound.start();
  hear(sound, 21, 40);
  sound.end();
  hear(sound, 41, 42);
  sound.start();
  hear(sound, 43, 50);
  expect(numbers(sound.end())).toEqual(range(37, 50));
});

test('keeps only the first minute of an endless utterance', () => {
  const sound = new UtteranceSound();
  sound.start();
  hear(sound, 1, 2_000);
  expect(numbers(sound.end())).toEqual(range(1, 1_875));
});
