/** Measures how often the agent speaks too early, and how long it waits at the end of a turn. Compares a decision from silence and words
 * alone with the trained model. */
import { initializeLogger, type ipc } from '@livekit/agents';
import { dispose } from '@livekit/rtc-node';
import {
  type Eagerness,
  EndOfTurnDetector,
  seemsIncomplete,
  usesModel,
} from '../../../agent/session/turns/end-of-turn';
import { EndOfTurnModel } from '../../../agent/session/turns/end-of-turn-model';
import { turnHandlingFor } from '../../../agent/session/turns/turn-handling';
import { endOfTurnInThisProcess } from '../../../dev/local-models/end-of-turn';
import { ClosingOrder } from '../../../dev/stack/closing';
import { resolveConfig } from '../../../domain/agent-config';
import type { BareRun } from '../bare-servers';
import { figure, type Figure, median } from '../figure';
import { type Pause, pausesIn } from './pauses';
import { sentencesBy, startLocalModels, type Utterance, withLineNoise } from './speech';

const QUIET_LOG = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
/** Number of samples that the model gets. */
const HEARD_SAMPLES = 19_200;

interface Decider {
  name: string;
  /** Returns the wait in milliseconds after the last word. */
  waitFor(heard: Int16Array, words: string): Promise<number>;
}

interface Style {
  eagerness: Eagerness;
  isPatient: boolean;
}

const configOf = ({ eagerness, isPatient }: Style) =>
  resolveConfig({
    experience: {
      conversational_experience: {
        eagerness_to_speak: eagerness,
        ...(isPatient && { patience_with_user_entries: { enabled: true } }),
      },
    },
  });

const nameOf = ({ eagerness, isPatient }: Style): string => `${eagerness}${isPatient ? ', patient' : ''}`;

function byRules(style: Style): Decider {
  const { endpointing } = turnHandlingFor(configOf(style), null);
  const [min, max] = [endpointing?.minDelay ?? 0, endpointing?.maxDelay ?? 0];
  return {
    name: `${nameOf(style)}, rules`,
    waitFor: (_heard, words) => Promise.resolve(style.isPatient && seemsIncomplete(words) ? max : min),
  };
}

async function byModel(style: Style, executor: ipc.InferenceExecutor): Promise<Decider> {
  const model = new EndOfTurnModel(executor, QUIET_LOG);
  if (!(await model.answers)) throw new Error('the end-of-turn model does not run on this machine');
  let [said, maxDelay] = ['', 0];
  const { turnDetection, endpointing } = turnHandlingFor(configOf(style), {
    model,
    language: 'en',
    words: () => said,
    setMaxDelay: (ms) => (maxDelay = ms),
  });
  if (!(turnDetection instanceof EndOfTurnDetector)) throw new Error('the agent does not use the model');
  return {
    name: `${nameOf(style)}, model`,
    waitFor: async (heard, words) => {
      said = words;
      const last = Buffer.from(heard.slice(-HEARD_SAMPLES).buffer).toString('base64');
      const { probability } = (await model.doInference('', { pcm: last })) as { probability: number };
      const isOver = probability >= (await turnDetection.unlikelyThreshold('en'));
      return isOver ? (endpointing?.minDelay ?? 0) : maxDelay;
    },
  };
}

const STYLES: readonly Style[] = (['slow', 'balanced', 'fast'] as const).flatMap((eagerness) =>
  [false, true].map((isPatient) => ({ eagerness, isPatient })),
);
const LINES = { 'quiet line': (samples: Int16Array) => samples, 'line noise': withLineNoise } as const;

interface Heard extends Utterance {
  pauses: Pause[];
}

/** Takes three minutes on two cores, two minutes of which are for the voice. Downloads the models on first use. */
export async function measureTurns(run: BareRun): Promise<Figure[]> {
  initializeLogger({ pretty: false, level: 'fatal' });
  const closing = new ClosingOrder();
  try {
    const utterances = await sentencesBy((await startLocalModels(run, closing)).speech);
    run.say(`${utterances.length / 2} sentences are spoken.`);
    const executor = endOfTurnInThisProcess();
    const deciders: Decider[] = [];
    for (const style of STYLES) {
      deciders.push(byRules(style));
      if (usesModel(style.eagerness)) deciders.push(await byModel(style, executor));
    }
    const figures: Figure[] = [];
    for (const [line, through] of Object.entries(LINES)) {
      const heard: Heard[] = [];
      for (const utterance of utterances) {
        const samples = through(utterance.samples);
        heard.push({ ...utterance, samples, pauses: await pausesIn(samples) });
      }
      for (const decider of deciders) figures.push(...(await figuresOf(decider, heard, line)));
    }
    return figures;
  } finally {
    await closing.close();
    // Stops the resampling library, which would keep the process alive.
    await dispose();
  }
}

async function figuresOf(decider: Decider, heard: readonly Heard[], line: string): Promise<Figure[]> {
  const [interrupted, pausing] = [new Set<Heard>(), heard.filter(({ hasPause }) => hasPause)];
  const endsMs: number[] = [];
  for (const utterance of heard) {
    const { pauses, samples, words } = utterance;
    for (const { requestedAt, ms, noticedMs } of pauses) {
      const said = ms === null ? words.end : words.middle;
      const waits = Math.max(noticedMs, await decider.waitFor(samples.slice(0, requestedAt), said));
      if (ms !== null && ms > waits) interrupted.add(utterance);
      if (ms === null) endsMs.push(waits);
    }
  }
  const share = (part: number, of: number) => (100 * part) / of;
  const cut = pausing.filter((utterance) => interrupted.has(utterance)).length;
  const whole = [...interrupted].filter(({ hasPause }) => !hasPause).length;
  const name = `${line}: ${decider.name}`;
  return [
    figure(`${name}: cut off at a pause`, share(cut, pausing.length), '%'),
    figure(`${name}: cut off without one`, share(whole, heard.length - pausing.length), '%'),
    figure(`${name}: end to answer, p50`, median(endsMs), 'ms'),
    figure(`${name}: end to answer, mean`, endsMs.reduce((sum, ms) => sum + ms, 0) / endsMs.length, 'ms'),
  ];
}
