/** The probability from which on a pause is the end of the turn. */
import { inference } from '@livekit/agents';
import { bareLanguage } from '../../providers/languages';

export type Eagerness = 'slow' | 'balanced' | 'fast';

/** The languages that the model was trained in. The SDK accepts every language, with the threshold of English. */
const LANGUAGES = [
  'ar',
  'de',
  'en',
  'es',
  'fr',
  'hi',
  'id',
  'it',
  'ja',
  'ko',
  'nl',
  'pt',
  'tr',
  'zh',
] as const;
type Language = (typeof LANGUAGES)[number];

/** Of the threshold that LiveKit calibrated for the language: a higher one waits at more pauses. */
const SHARES: Readonly<Record<Eagerness, number>> = { slow: 1.2, balanced: 1, fast: 0.75 };
/** Somebody who may take their time is waited for as by the next slower agent. */
const PATIENT: Readonly<Record<Eagerness, Eagerness>> = { slow: 'slow', balanced: 'slow', fast: 'balanced' };

/** Null for a language that the model was not trained in, and for an unknown one. */
export function endOfTurnThreshold(
  language: string | null,
  { eagerness, isPatient }: { eagerness: Eagerness; isPatient: boolean },
): number | null {
  const known = languageOf(language);
  const calibrated = known === null ? undefined : inference.LOCAL_LANGUAGES[known];
  if (calibrated === undefined) return null;
  return calibrated * SHARES[isPatient ? PATIENT[eagerness] : eagerness];
}

export const isEndOfTurnLanguage = (language: string | null): boolean => languageOf(language) !== null;

const languageOf = (code: string | null): Language | null =>
  LANGUAGES.find((language) => code !== null && bareLanguage(code) === language) ?? null;
