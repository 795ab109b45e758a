/** The probability from which on a pause is the end of the turn. */
import { inference } from '@livekit/agents';
import { bareLanguage } from '../../providers/languages';

export type Eagerness = 'slow' | 'balanced' | 'fast';
export type ModelEagerness = Exclude<Eagerness, 'slow'>;

/**
 * Whether the model judges the pauses of such an agent. A slow one outlasts them by itself: of 48 pauses up to 1.2 s it cuts off 2 %, and with
 * the model it cut off none and answered 0.7 s later.
 */
export const usesModel = (eagerness: Eagerness): eagerness is ModelEagerness => eagerness !== 'slow';

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
const SHARES: Readonly<Record<ModelEagerness, number>> = { balanced: 1, fast: 0.75 };
/** Somebody who may take their time is waited for as by the next slower agent. */
const PATIENT_SHARES: Readonly<Record<ModelEagerness, number>> = { balanced: 1.2, fast: SHARES.balanced };

/** Null for a language that the model was not trained in, and for an unknown one. */
export function endOfTurnThreshold(
  language: string | null,
  { eagerness, isPatient }: { eagerness: ModelEagerness; isPatient: boolean },
): number | null {
  const known = languageOf(language);
  const calibrated = known === null ? undefined : inference.LOCAL_LANGUAGES[known];
  if (calibrated === undefined) return null;
  return calibrated * (isPatient ? PATIENT_SHARES : SHARES)[eagerness];
}

export const isEndOfTurnLanguage = (language: string | null): boolean => languageOf(language) !== null;

const languageOf = (code: string | null): Language | null =>
  LANGUAGES.find((language) => code !== null && bareLanguage(code) === language) ?? null;
