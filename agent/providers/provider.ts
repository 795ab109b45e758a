/** What a provider is: how it makes each of its parts. A part that it lacks is absent. */
import type { llm, stt, tts } from '@livekit/agents';
import type { Brief } from '../platform/brief';
import type { SpeechSettings } from '../settings';
import type { Languages } from './languages';
import type { Part, WantedModel } from './wanted';

export interface Making<P extends Part = Part> {
  wanted: WantedModel<P>;
  brief: Brief;
  settings: SpeechSettings;
  languages: Languages;
}

/** Or a sentence that says what is missing, for whoever runs the platform. */
export type Made<T> = T | { missing: string };

export interface Provider {
  stt?: (making: Making<'stt'>) => Made<stt.STT>;
  llm?: (making: Making<'llm'>) => Made<llm.LLM>;
  tts?: (making: Making<'tts'>) => Made<tts.TTS>;
}

export interface Missing {
  part: Part;
  why: string;
}

export const isMissing = (made: object): made is { missing: string } =>
  'missing' in made && typeof made.missing === 'string';

/** The platform's key for a provider that needs one, or that it is missing. */
export function keyOf(
  provider: keyof SpeechSettings['keys'],
  { settings }: Pick<Making, 'settings'>,
): { apiKey: string } | { missing: string } {
  const apiKey = settings.keys[provider];
  return apiKey === null ? { missing: `${provider.toUpperCase()}_API_KEY is not set` } : { apiKey };
}
