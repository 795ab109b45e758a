/** Interface of the speech and language model providers, and the code they share. */
import type { llm, stt, tts } from '@livekit/agents';
import { isJsonObject, type JsonObject } from '../../domain/json';
import type { ModelKind } from '../../domain/usage-cost';
import type { CallContext } from '../platform/call-context';
import type { Languages } from './languages';
import type { RequestedModel } from './requested-models';
import { keyVariable, type KeyedProvider, type SpeechSettings } from './speech-settings';

export interface ModelRequest<P extends ModelKind = ModelKind> {
  requested: RequestedModel<P>;
  callContext: CallContext;
  settings: SpeechSettings;
  languages: Languages;
}

/** The model, or a sentence for the operator that names what is missing. */
export type ModelResult<T> = T | { missing: string };

/** How a provider creates each kind of model. Kinds that it does not offer are absent. */
export interface Provider {
  stt?: (request: ModelRequest<'stt'>) => ModelResult<stt.STT>;
  llm?: (request: ModelRequest<'llm'>) => ModelResult<llm.LLM>;
  tts?: (request: ModelRequest<'tts'>) => ModelResult<tts.TTS>;
  /** Base URL of its models over HTTP. Absent when the SDK opens and keeps the connections itself. */
  address?: (request: Pick<ModelRequest, 'requested' | 'settings'>) => string;
}

export interface Missing {
  part: ModelKind;
  why: string;
}

export const isMissing = (result: object): result is { missing: string } =>
  'missing' in result && typeof result.missing === 'string';

/** Returns the platform's key for a provider, or a message that it is missing. */
export function apiKeyOf(
  provider: KeyedProvider,
  { settings }: Pick<ModelRequest, 'settings'>,
): { apiKey: string } | { missing: string } {
  const apiKey = settings.keys[provider];
  return apiKey === null ? { missing: `${keyVariable(provider)} is not set` } : { apiKey };
}

// These functions read a provider's settings and responses, which are not validated.

export const textIn = (value: unknown): string =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : '';

export const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.map(textIn).filter((text) => text !== '') : [];

const objectIn = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});

/** Clamps to the limits; null when the value is not a number. */
export function numberIn(value: unknown, { min, max }: { min: number; max: number }): number | null {
  if (typeof value !== 'number' || !Number.isFinite(value)) return null;
  return Math.min(Math.max(value, min), max);
}

export interface Voice {
  /** The provider's name for the voice; null for its default. */
  id: string | null;
  /** 1 is the voice's default; null when unset. */
  speed: number | null;
  /** The provider's own settings, as stored. */
  config: Readonly<Record<string, unknown>>;
}

type Gender = 'male' | 'female';

/** A provider's default voices, used when only a gender is requested. */
type DefaultVoices = Readonly<Record<Gender, string>>;

/**
 * `voice_id` takes precedence over `voice_name`, and a session's speed over the agent's. A session's gender applies only when the agent has
 * no voice, or one for each gender in `config.voices`.
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
