/** How a provider creates each kind of model. Kinds that it does not offer are absent. */
import type { llm, stt, tts } from '@livekit/agents';
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

/** The model, or a sentence that tells the operator what is missing. */
export type ModelResult<T> = T | { missing: string };

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
