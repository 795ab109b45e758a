/** The languages that are spoken and expected. */
import type { Brief } from '../platform/brief';

export interface Languages {
  /** A code such as `en` or `hi-IN`; null when none is configured. */
  first: string | null;
  /** Another language to expect. */
  second: string | null;
  /** Whether the spoken language is to be detected. */
  detects: boolean;
}

/** A browser session's languages override the agent's. */
export function languagesOf({ agent, session }: Pick<Brief, 'agent' | 'session'>): Languages {
  const { language, auto_detect: detects } = agent.config.persona.senses_capabilities;
  return {
    first: session?.primaryLanguage ?? (language === '' ? null : language),
    second: session?.secondaryLanguage ?? null,
    detects,
  };
}

/** The recogniser's configured language, which is empty when unset, before the conversation's first one. */
export const recognitionLanguage = (configured: string, { first }: Languages): string | null =>
  configured === '' ? first : configured;

/** `hi` of `hi-IN`. */
export const bareLanguage = (code: string): string => code.toLowerCase().split(/[-_]/)[0] ?? '';

const INDIAN: ReadonlySet<string> = new Set([
  'bn',
  'en',
  'gu',
  'hi',
  'kn',
  'ml',
  'mr',
  'od',
  'pa',
  'ta',
  'te',
]);

/** With the country, as Indian providers name it; null for a language that they do not support. */
export function indianLanguage(code: string): string | null {
  const bare = bareLanguage(code);
  const known = bare === 'or' ? 'od' : bare;
  return INDIAN.has(known) ? `${known}-IN` : null;
}
