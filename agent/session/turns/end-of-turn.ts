/** Decides at each pause whether the user's turn is over, by the words and by the sound with the SDK's turn detector. */
import { inference, type llm } from '@livekit/agents';
import { bareLanguage } from '../../providers/languages';
import { LOCAL_VERSION, type EndOfTurnModel } from './end-of-turn-model';

/** Thresholds above and below every probability. */
const WAITS = 2;
const SPEAKS = 0;
/** Languages that the model was trained in. The SDK accepts any language and uses the English threshold for all others. */
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

/** Factors for the threshold that LiveKit calibrated per language. With a higher threshold, the agent waits at more pauses. */
const SHARES: Readonly<Record<ModelEagerness, number>> = { balanced: 1, fast: 0.75 };
/** A patient agent waits about as long as the next slower setting does without patience. */
const PATIENT_SHARES: Readonly<Record<ModelEagerness, number>> = { balanced: 1.2, fast: SHARES.balanced };

/**
 * A number with this many digits is complete, because phone numbers (with or without a country code) and card numbers have this length.
 */
const WHOLE_NUMBERS: ReadonlySet<number> = new Set([10, 11, 12, 13, 16]);
const DIGITS_BY_WORD = /\b(?:zero|one|two|three|four|five|six|seven|eight|nine|oh|double|triple)\b/gi;
/** Words after which a sentence continues, in English and in both scripts of Hindi. */
const CONTINUES =
  /(?:^|\s)(?:and|or|but|because|so|if|then|the|a|an|to|of|for|with|my|is|are|um+|uh+|hmm+|er|like|aur|ya|lekin|kyunki|toh|ki|ka|ke|और|या|लेकिन|क्योंकि|तो|कि|मेरा|मेरी)[\s.…]*$/iu;

export type Eagerness = 'slow' | 'balanced' | 'fast';
export type ModelEagerness = Exclude<Eagerness, 'slow'>;

export interface EndOfTurnOptions {
  model: EndOfTurnModel;
  eagerness: ModelEagerness;
  /** The agent's language. It applies until the recogniser reports one. */
  language: string | null;
  /** Returns the words of the turn so far. Null unless the agent should wait for the rest of an incomplete entry. */
  words: (() => string) | null;
  /** Silence that ends a turn: if the turn sounds finished, if it sounds unfinished, or if its words are incomplete. */
  waitsMs: { finished: number; unfinished: number; incomplete: number };
  /** Sets the maximum delay for the pause that is being judged. */
  setMaxDelay: (ms: number) => void;
}

/** The SDK's turn detector with thresholds from the agent's configuration. It also takes the transcript into account. */
export class EndOfTurnDetector extends inference.TurnDetector {
  constructor(private readonly options: EndOfTurnOptions) {
    super({ version: LOCAL_VERSION, executor: options.model });
  }

  override stream(): ReturnType<inference.TurnDetector['stream']> {
    const stream = super.stream();
    // The SDK calls this once it has the probability for a pause, and reads the maximum delay afterwards.
    stream.unlikelyThreshold = (language) => Promise.resolve(this.judge(language));
    return stream;
  }

  override unlikelyThreshold(language?: string): Promise<number> {
    return Promise.resolve(this.judge(language));
  }

  private judge(recognised: string | undefined): number {
    const { model, words, waitsMs, setMaxDelay, eagerness, language } = this.options;
    const isPatient = words !== null;
    const isIncomplete = isPatient && seemsIncomplete(words());
    const maxDelayMs = isIncomplete ? waitsMs.incomplete : waitsMs.unfinished;
    setMaxDelay(maxDelayMs);
    const threshold = isIncomplete
      ? WAITS
      : (endOfTurnThreshold(recognised ?? language, { eagerness, isPatient }) ?? SPEAKS);
    model.judged(threshold, { finished: waitsMs.finished, unfinished: maxDelayMs });
    return threshold;
  }
}

/**
 * Returns true if the model judges pauses at this eagerness. A slow agent waits out most pauses anyway: of 48 pauses up to 1.2 s it cut off
 * 2 %, and with the model none, but it answered 0.7 s later.
 */
export const usesModel = (eagerness: Eagerness): eagerness is ModelEagerness => eagerness !== 'slow';

/**
 * Returns the probability above which a pause ends the turn. Returns null if the language is unknown or the model was not trained in it.
 */
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

/** Returns true if the speaker is in the middle of a sentence, a number or a spelled-out date. */
export function seemsIncomplete(words: string): boolean {
  const text = words.trim();
  if (text === '') return false;
  if (/[,:;–—-]$/.test(text) || /(?:\.\.\.|…)$/.test(text)) return true;
  if (CONTINUES.test(text)) return true;
  return endsWithinNumber(text);
}

function endsWithinNumber(text: string): boolean {
  const tail = /[\d\s-]+[.]?$/.exec(text)?.[0].replace(/\D/g, '') ?? '';
  if (tail.length >= 3) return !WHOLE_NUMBERS.has(tail.length);
  const spoken = text.match(DIGITS_BY_WORD)?.length ?? 0;
  return spoken >= 3 && !WHOLE_NUMBERS.has(spoken) && text.split(/\s+/).length - spoken <= 4;
}

/**
 * A turn detector for the SDK that only considers the words. At incomplete words, its probability is below the threshold, so the SDK waits
 * for the maximum endpointing delay.
 */
export class IncompleteEntryDetector {
  readonly model = 'incomplete-entries';
  readonly provider = 'platform';

  readonly unlikelyThreshold = (): Promise<number> => Promise.resolve(0.5);
  readonly supportsLanguage = (): Promise<boolean> => Promise.resolve(true);

  predictEndOfTurn({ items }: Pick<llm.ChatContext, 'items'>): Promise<number> {
    const last = items.at(-1);
    const words = last?.type === 'message' && last.role === 'user' ? (last.textContent ?? '') : '';
    return Promise.resolve(seemsIncomplete(words) ? 0 : 1);
  }
}
