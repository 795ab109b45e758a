/** The probability above which a pause counts as the end of the turn. */
import { inference } from '@livekit/agents';
import { bareLanguage } from '../../providers/languages';

export type Eagerness = 'slow' | 'balanced' | 'fast';
export type ModelEagerness = Exclude<Eagerness, 'slow'>;

/**
 * Whether the model judges pauses at this eagerness. A slow agent outlasts most pauses anyway: of 48 pauses up to 1.2 s it cut off 2 %, and
 * with the model none, but it answered 0.7 s later.
 */
export const usesModel = (eagerness: Eagerness): eagerness is ModelEagerness => eagerness !== 'slow';

/** Languages that the model was trained in. The SDK accepts every language and uses the English threshold for the rest. */
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

/** Factor on the threshold that LiveKit calibrated for the language. A higher threshold waits at more pauses. */
const SHARES: Readonly<Record<ModelEagerness, number>> = { balanced: 1, fast: 0.75 };
/** With patience enabled, an agent waits like the next slower one. */
const PATIENT_SHARES: Readonly<Record<ModelEagerness, number>> = { balanced: 1.2, fast: SHARES.balanced };

/** Returns null for an unknown language and for one that the model was not trained in. */
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
