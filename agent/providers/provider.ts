/** The interface that all speech and language model providers implement, and their shared code. */
import type { llm, stt, tts } from '@livekit/agents';
import { isJsonObject, type JsonObject } from '../../domain/json';
import type { ModelKind } from '../../domain/usage-cost';
import type { CallContext } from '../platform/call-context';
import type { Languages } from './languages';
import type { RequestedModel } from './requested-models';
import { variableOf, type KeyedProvider, type SpeechSettings } from './speech-settings';

export interface ModelRequest<P extends ModelKind = ModelKind> {
  requested: RequestedModel<P>;
  callContext: CallContext;
  settings: SpeechSettings;
  languages: Languages;
}

/** The model, or a sentence that tells the operator what is missing. */
export type ModelResult<T> = T | { missing: string };

/** Creates the models of a provider. A function is absent if the provider has no models of that kind. */
export interface Provider {
  stt?: (request: ModelRequest<'stt'>) => ModelResult<stt.STT>;
  llm?: (request: ModelRequest<'llm'>) => ModelResult<llm.LLM>;
  tts?: (request: ModelRequest<'tts'>) => ModelResult<tts.TTS>;
  /** Base URL of the provider's HTTP models. Absent when the SDK manages the connections itself. */
  address?: (request: Pick<ModelRequest, 'requested' | 'settings'>) => string;
}

export interface Missing {
  part: ModelKind;
  why: string;
}

export const isMissing = (result: object): result is { missing: string } =>
  'missing' in result && typeof result.missing === 'string';

/** Returns the platform's key for a provider, or a message that the key is missing. */
export function apiKeyOf(
  provider: KeyedProvider,
  { settings }: Pick<ModelRequest, 'settings'>,
): { apiKey: string } | { missing: string } {
  const apiKey = settings.keys[provider];
  return apiKey === null ? { missing: `${variableOf(provider)} is not set` } : { apiKey };
}

// Provider settings and responses are not validated, so these functions read them defensively.

export const textIn = (value: unknown): string =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : '';

export const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.map(textIn).filter((text) => text !== '') : [];

const objectIn = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});

/** Clamps a number to the limits. Returns null for any other value. */
export function numberIn(value: unknown, { min, max }: { min: number; max: number }): number | null {
  if (typeof value !== 'number' || !Number.isFinite(value)) return null;
  return Math.min(Math.max(value, min), max);
}

export interface Voice {
  /** The provider's name for the voice. Null for its default voice. */
  id: string | null;
  /** 1 is the voice's default. Null when not configured. */
  speed: number | null;
  /** The provider's own settings, as stored. */
  config: Readonly<Record<string, unknown>>;
}

type Gender = 'male' | 'female';

/** Default voices of a provider, used when only a gender is requested. */
type DefaultVoices = Readonly<Record<Gender, string>>;

/**
 * `voice_id` takes precedence over `voice_name`, and a session's speed over the agent's. A session's gender only has an effect if the agent
 * has no voice, or has one for each gender in `config.voices`.
 */
export function voiceOf(
  { fields }: Pick<RequestedModel<'tts'>, 'fields'>,
  session: CallContext['session'],
  voices: DefaultVoices,
): Voice {
  const { config, voice_id: id, voice_name: name } = fields;
  const gender = session?.voiceGender ?? null;
  const ofGender = gender === null ? '' : textIn(objectIn(config.voices)[gender]);
  const chosen = [ofGender, id, name].find((voice) => voice !== '');
  const usual = gender === null ? null : voices[gender];
  return {
    id: chosen ?? usual,
    speed: session?.voiceSpeed ?? numberIn(config.speed, { min: 0.25, max: 4 }),
    config,
  };
}
