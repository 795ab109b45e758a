/** Applies the agent's settings to a pause: how long the agent stays silent after the caller's last word. */
import type { ipc } from '@livekit/agents';
import { EndOfTurnDetector, type Eagerness, seemsIncomplete } from '../../../agent/session/turns/end-of-turn';
import { EndOfTurnModel } from '../../../agent/session/turns/end-of-turn-model';
import { turnHandlingFor } from '../../../agent/session/turns/turn-handling';
import { resolveConfig } from '../../../domain/agent-config';

const QUIET_LOG = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
/** Number of samples that the model gets. */
const HEARD_SAMPLES = 19_200;

export interface Decider {
  name: string;
  /** Returns the wait in milliseconds after the last word. */
  waitFor(heard: Int16Array, words: string): Promise<number>;
}

export interface Style {
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

export function byRules(style: Style): Decider {
  const { endpointing } = turnHandlingFor(configOf(style), null);
  const [min, max] = [endpointing?.minDelay ?? 0, endpointing?.maxDelay ?? 0];
  return {
    name: `${nameOf(style)}, rules`,
    waitFor: (_heard, words) => Promise.resolve(style.isPatient && seemsIncomplete(words) ? max : min),
  };
}

export async function byModel(style: Style, executor: ipc.InferenceExecutor): Promise<Decider> {
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
