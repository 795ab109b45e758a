/** A conversation that shows the effect of a configuration field. The same scene runs in a fake room and in a real one. */
import type { ipc } from '@livekit/agents';
import type { ModelStandIn, Reply } from '../../../dev/model-stand-in/server';
import type { ModelKind } from '../../../domain/usage-cost';
import type { NoiseSuppression } from '../../../agent/settings';
import type { ReceivedEvent } from './fake-platform';
import { eventually } from '../../stack/support/eventually';

const CANCEL_TIMEOUT_MS = 5_000;

export interface Scene {
  /** Paths of the fields, as in the API. */
  fields: readonly string[];
  title: string;
  /** If this is a function, it can look up the names of the scene's own models. */
  persona?: object | ((name: (part: string) => string) => object);
  experience?: object;
  training?: object;
  /** Overrides the call context. */
  callContext?: Record<string, unknown>;
  medium?: 'telephony' | 'webrtc';
  settings?: { silenceMs?: number; noiseSuppression?: NoiseSuppression };
  /** Runs the end-of-turn model. */
  inference?: ipc.InferenceExecutor;
  stt?: readonly Reply[];
  llm?: readonly Reply[];
  tts?: readonly Reply[];
  /** Replies of further models, by the names that `persona` gives them. */
  others?: Readonly<Record<string, readonly Reply[]>>;
  /** Kinds of models that the agent lacks. By default, it has all three. */
  without?: readonly ModelKind[];
  play: (stage: SceneContext) => Promise<void>;
  /** Checks the recording that was uploaded after the conversation, or undefined if there is none. Only runs in a fake room. */
  afterwards?: (recording: Buffer | undefined) => void;
}

export interface SceneContext {
  models: ModelStandIn;
  /** Returns the name of the scene's own model of this kind. */
  model: (part: string) => string;
  /** Returns the bodies of the requests to the model. */
  requests: (part: string) => any[];
  events: readonly ReceivedEvent[];
  /** Returns the emitted transcript segments. */
  said: () => { speaker: string; text: string; start_ms: number; end_ms: number; interrupted?: boolean }[];
  /** Returns the kind and the details of each published live update. */
  live: () => [string, { speaker?: string; text?: string }?][];
  captions: () => readonly string[];
  /** Takes the duration of speech-like sound in milliseconds, or the samples to send. */
  speak: (speech: number | Int16Array) => Promise<void>;
  type: (text: string) => void;
  /** Milliseconds from the answer until the caller receives audible sound. Null before that. */
  soundAtMs: () => number | null;
  /** The audio frames that the caller received. */
  heard: () => readonly Int16Array[];
  attributes: () => Readonly<Record<string, string>>;
  actions: () => readonly string[];
  until: (holds: () => boolean) => Promise<void>;
  untilAnswered: () => Promise<void>;
  untilSaid: (count: number) => Promise<void>;
  /** Resolves when the agent has ended the call. */
  untilEnded: () => Promise<ReceivedEvent>;
  passedMs: () => number;
}

export const speechConfig = (scene: Scene, name: (part: ModelKind) => string): { config: object } => {
  const has = (part: ModelKind) => !(scene.without ?? []).includes(part);
  const senses = {
    language: 'en',
    ...(has('stt') && { ears: { stt: { primary: { provider: 'openai', model: name('stt') } } } }),
    ...(has('llm') && { brain: { llm: { primary: { provider: 'openai', model: name('llm') } } } }),
    ...(has('tts') && { mouth: { tts: { primary: { provider: 'openai', model: name('tts') } } } }),
  };
  const base = {
    persona: {
      identity: { system_prompt: 'You are brief.', greeting_message: { agent_message: 'Hi {{name}}.' } },
      senses_capabilities: senses,
    },
  };
  return {
    config: merged(base, {
      ...(scene.persona !== undefined && {
        persona: typeof scene.persona === 'function' ? scene.persona(name as never) : scene.persona,
      }),
      ...(scene.experience !== undefined && { experience: scene.experience }),
      ...(scene.training !== undefined && { training: scene.training }),
    }) as object,
  };
};

function merged(one: any, other: any): any {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return other;
  if (Array.isArray(one) || Array.isArray(other)) return other;
  const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return Object.fromEntries(
    keys.map((key) => [
      key,
      key in other ? (key in one ? merged(one[key], other[key]) : other[key]) : one[key],
    ]),
  );
}

/** Waits until the models of a scene, whose names end with its id, have no open request. Throws when a request outlives its conversation. */
export const requestsOver = (models: ModelStandIn, sceneId: string): Promise<void> =>
  eventually(CANCEL_TIMEOUT_MS, () =>
    expect(models.openRequests().filter((model) => model.endsWith(`-${sceneId}`))).toEqual([]),
  );
