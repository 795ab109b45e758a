/** Determines the languages of a conversation. */
import type { CallContext } from '../platform/call-context';

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

export interface Languages {
  /** A code such as `en` or `hi-IN`. Null when none is configured. */
  first: string | null;
  /** Another language that the caller may speak. */
  second: string | null;
  /** True when the recogniser should detect the spoken language. */
  detects: boolean;
}

/** A browser session's languages override the agent's. */
export function languagesOf({ agent, session }: Pick<CallContext, 'agent' | 'session'>): Languages {
  const { language, auto_detect: detects } = agent.config.persona.senses_capabilities;
  return {
    first: session?.primaryLanguage ?? (language === '' ? null : language),
    second: session?.secondaryLanguage ?? null,
    detects,
  };
}

/** Returns the recogniser's configured language. When it is empty, returns the conversation's first language. */
export const recognitionLanguage = (configured: string, { first }: Languages): string | null =>
  configured === '' ? first : configured;

/** Strips the country: `hi-IN` becomes `hi`. */
export const bareLanguage = (code: string): string => code.toLowerCase().split(/[-_]/)[0] ?? '';

/** Adds the country code that Indian providers expect. Returns null for languages they don't support. */
export function indianLanguage(code: string): string | null {
  const bare = bareLanguage(code);
  const known = bare === 'or' ? 'od' : bare;
  return INDIAN.has(known) ? `${known}-IN` : null;
}
