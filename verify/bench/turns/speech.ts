/** Creates sentences in the local voice, with and without a pause. */
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AudioFrame, AudioResampler, AudioResamplerQuality } from '@livekit/rtc-node';
import { isAudible, joined, SAMPLE_RATE, type Samples, samplesIn } from '../../../agent/audio/pcm';
import { mixed, seededRandom } from '../../../agent/audio/sounds';
import { installLocalModels } from '../../../dev/local-models/install';
import { localModelsProcess, localModelsUrl } from '../../../dev/local-models/install';
import { removeFolder } from '../../../dev/remove-folder';
import type { ClosingOrder } from '../../../dev/stack/closing';
import { freePort, releasePort } from '../../../dev/stack/ports';
import { RunningProcess } from '../../../dev/stack/processes';
import { repositoryRoot } from '../../../dev/stack/repository';
import { startWatchdog } from '../../../dev/stack/watchdog';
import { LocalSpeech } from '../../../dev/talk/caller/local-speech';
import { VOICE_RATE } from '../../../dev/talk/caller/room-caller';
import type { BareRun } from '../bare-servers';

/** Callers' sentences, split where the caller pauses. */
const SENTENCES: readonly (readonly [first: string, rest: string])[] = [
  ['I would like to change my appointment', 'to next Tuesday afternoon.'],
  ['My name is', 'Jonathan Miller.'],
  ['I am calling because', 'my invoice seems to be wrong.'],
  ['Can you please tell me', 'what time you open on Saturday?'],
  ['The address is', 'forty two Park Street in Boston.'],
  ['I wanted to ask if', 'you still have a table for four people.'],
  ['We moved to a new house and', 'we need to update our address.'],
  ['I think the payment was made on', 'the third of November.'],
  ['Could you send the documents to', 'my office instead of my home?'],
  ['My order number is', 'seven four two nine one.'],
  ['I have been waiting for', 'almost three weeks now.'],
  ['The problem started when', 'I installed the new software.'],
  ['I would prefer the morning, but', 'the evening is fine as well.'],
  ['She told me that', 'the doctor is not available today.'],
  ['I need a refund for', 'the jacket that I bought last week.'],
  ['Is it possible to', 'pay in two parts?'],
  ['My daughter has a fever and', 'a very bad cough since yesterday.'],
  ['The flight leaves from', 'terminal two at nine in the morning.'],
  ['I already talked to', 'your colleague about this on Monday.'],
  ['We are looking for an apartment with', 'two bedrooms and a balcony.'],
  ['I do not remember the', 'password of my account.'],
  ['Please cancel the', 'subscription at the end of this month.'],
  ['The car makes a strange noise when', 'I turn to the left.'],
  ['I live close to', 'the central station.'],
  ['If the price is lower than', 'fifty dollars I will take it.'],
  ['My phone number starts with', 'five five five.'],
  ['I would like two large pizzas with', 'mushrooms and extra cheese.'],
  ['The meeting should take', 'about forty five minutes.'],
  ['He is allergic to', 'peanuts and shellfish.'],
  ['We would be happy with', 'a room on the second floor.'],
  ['The last time I called', 'nobody picked up the phone.'],
  ['I want to speak with', 'somebody from the sales department.'],
  ['Your website says that', 'delivery is free for members.'],
  ['It was very good, although', 'the service was a little slow.'],
  ['I usually take the train at', 'half past seven.'],
  ['You can reach me by', 'email or by text message.'],
  ['The warranty is valid until', 'the end of next year.'],
  ['I have two questions about', 'the insurance policy.'],
  ['First I would like to know', 'how much it costs.'],
  ['We only need it for', 'the weekend.'],
  ['I lost my card somewhere between', 'the hotel and the airport.'],
  ['The color that I ordered was', 'dark green and not black.'],
  ['My mother is seventy eight and', 'she lives alone.'],
  ['Unfortunately I cannot come because', 'my car broke down.'],
  ['Please tell him that', 'I will call back tomorrow.'],
  ['The best day for me would be', 'Wednesday after four.'],
  ['I am not sure whether', 'I have to sign this form.'],
  ['Yes, that is right, and', 'please add my wife as well.'],
];

interface LocalModels {
  speech: LocalSpeech;
  /** Ends in `/v1`. */
  url: string;
}

/** Downloads the models on first use. */
export async function startLocalModels(run: BareRun, closing: ClosingOrder): Promise<LocalModels> {
  const { environment, onProgress } = run;
  const repository = repositoryRoot();
  const { python } = await installLocalModels({ repository, environment, onProgress });
  const folder = join(tmpdir(), `voice-agent-platform-models-${randomBytes(6).toString('hex')}`);
  closing.add('the folder', () => removeFolder(folder));
  const port = await freePort(0);
  closing.add('the port', () => Promise.resolve(releasePort(port)));
  const watchdog = startWatchdog();
  closing.add('the watchdog', () => Promise.resolve(watchdog.stop()));
  const plan = { ...localModelsProcess({ repository, environment, python, port }), cwd: repository };
  const models = new RunningProcess(plan, { logFolder: folder, runFolder: folder, watchdog });
  closing.add('the models', () => models.stop());
  await models.start();
  const url = localModelsUrl(port);
  return { speech: new LocalSpeech(url), url };
}

const silence = (ms: number, sampleRate: number): Int16Array =>
  new Int16Array(Math.round((sampleRate * ms) / 1000));

const STEP_MS = 10;
const BEFORE = silence(500, SAMPLE_RATE);
/** Longer than the longest end-of-turn delay. */
const AFTER = silence(700, SAMPLE_RATE);
const PAUSE_MS = { min: 600, max: 1_200 } as const;

export interface Utterance {
  samples: Samples;
  /** Recognised words at the pause in the middle (null without a pause) and at the end. */
  words: { middle: string; end: string };
  /** True if the speaker pauses in the middle. */
  hasPause: boolean;
}

/** Speaks each sentence once with a pause and once without. */
export async function sentencesBy(voice: LocalSpeech): Promise<Utterance[]> {
  const utterances: Utterance[] = [];
  for (const [nth, [first, rest]] of SENTENCES.entries()) {
    const [one, other, whole] = [
      // With a comma at the end, the voice sounds unfinished.
      await spokenBy(voice, `${first},`),
      await spokenBy(voice, rest),
      await spokenBy(voice, `${first} ${rest}`),
    ];
    const words = { middle: first, end: `${first} ${rest}` };
    const pause = silence(pauseMs(nth), SAMPLE_RATE);
    utterances.push(
      { samples: joined([BEFORE, one, pause, other, AFTER]), words, hasPause: true },
      { samples: joined([BEFORE, whole, AFTER]), words, hasPause: false },
    );
  }
  return utterances;
}

/** Distributes the lengths evenly, regardless of the order of sentences. */
const pauseMs = (nth: number): number =>
  PAUSE_MS.min + (((nth * 29) % SENTENCES.length) / (SENTENCES.length - 1)) * (PAUSE_MS.max - PAUSE_MS.min);

/** Returns speech at the agent's sample rate, without silence around it. */
const spokenBy = async (voice: LocalSpeech, text: string): Promise<Samples> =>
  trimmed(resampled(await voice.samples(text), VOICE_RATE, SAMPLE_RATE));

/** Trims silence, so that a pause has exactly its nominal length. */
function trimmed(samples: Samples): Samples {
  const step = samplesIn(STEP_MS);
  const isHeard = (at: number): boolean => isAudible(samples.subarray(at, at + step));
  let [from, to] = [0, samples.length];
  while (from < to && !isHeard(from)) from += step;
  while (to > from && !isHeard(to - step)) to -= step;
  return samples.slice(from, to);
}

/** Noise 66 dB below full scale, identical in every run. */
const HISS = 30;

export function withLineNoise(samples: Samples): Samples {
  const random = seededRandom(1);
  const hiss = samples.map(() => Math.round((2 * random() - 1) * HISS));
  return mixed(samples, hiss);
}

/** Converts samples to another rate and removes frequencies that the lower rate can't represent. */
function resampled(samples: Int16Array, from: number, to: number): Int16Array {
  if (from === to) return samples;
  const resampler = new AudioResampler(from, to, 1, AudioResamplerQuality.HIGH);
  try {
    const frames = resampler.push(new AudioFrame(samples, from, 1, samples.length));
    return joined([...frames, ...resampler.flush()].map(({ data }) => Int16Array.from(data)));
  } finally {
    resampler.close();
  }
}
