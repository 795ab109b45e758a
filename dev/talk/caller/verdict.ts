/** Judges a spoken conversation: what the agent heard, what it answered, and how long the caller waited. */

/** A question of the scripted caller to the front desk. */
export interface Question {
  says: string;
  /** Words from the answer in `examples/agents/front-desk.json`. */
  answerHas: readonly string[];
}

export const FRONT_DESK = 'Front desk';

export const QUESTIONS: readonly Question[] = [
  { says: 'When are you open?', answerHas: ['morning', 'evening'] },
  { says: 'Where can I park my car?', answerHas: ['parking', 'building'] },
  { says: 'How do I cancel an appointment?', answerHas: ['day', 'before'] },
  { says: 'Which doctors work at the clinic?', answerHas: ['brown', 'miller'] },
];

/** A piece of work by a model. Times are in ms of the same clock as the turns. */
export interface Work {
  fromMs: number;
  ms: number;
}

export interface Turn {
  question: Question;
  /** When the caller's last word ended, and when the agent was first heard; null if the agent stayed silent. */
  spokenAtMs: number;
  answeredAtMs: number | null;
  /** The recogniser's transcript of the answer. */
  answer: string;
}

export interface Verdict {
  turns: number;
  heard_right: number;
  answered: number;
  first_audio_ms_p50: number | null;
  own_overhead_ms_p50: number | null;
}

/**
 * How long the agent waits in silence before it treats a turn as complete (`eagerness_to_speak: balanced`), unless the turn sounds
 * unfinished.
 */
const SILENCE_MS = 500;
/** Tolerates homophones and wrong word endings in longer sentences. */
const MIN_SHARE = 0.7;

/**
 * `heard` is the platform's transcript of the caller, in order. If `work` is null because a model's time isn't measured, the verdict has no
 * overhead.
 */
export function verdictOn(
  turns: readonly Turn[],
  heard: readonly string[],
  work: readonly Work[] | null,
): Verdict {
  const answered = turns.filter(isAnswered);
  const waits = answered.map(waitOf);
  const overheads = work === null ? [] : answered.map((turn) => waitOf(turn) - coveredMs(turn, work));
  return {
    turns: turns.length,
    heard_right: turns.filter(({ question }) => heard.some((text) => isSame(question.says, text))).length,
    answered: answered.filter(({ question, answer }) => hasAll(answer, question.answerHas)).length,
    first_audio_ms_p50: median(waits),
    own_overhead_ms_p50: median(overheads),
  };
}

export const isRight = ({ turns, heard_right, answered }: Verdict): boolean =>
  turns > 0 && heard_right === turns && answered === turns;

type Answered = Turn & { answeredAtMs: number };

const isAnswered = (turn: Turn): turn is Answered => turn.answeredAtMs !== null;
const waitOf = ({ spokenAtMs, answeredAtMs }: Answered): number => answeredAtMs - spokenAtMs;

/** Returns how much of the wait is covered by the silence at the end of the turn or by the models' work. Overlaps are counted once. */
function coveredMs(
  { spokenAtMs, answeredAtMs }: Pick<Answered, 'spokenAtMs' | 'answeredAtMs'>,
  work: readonly Work[],
  silenceMs = SILENCE_MS,
): number {
  const spans = [{ fromMs: spokenAtMs, ms: silenceMs }, ...work]
    .map(({ fromMs, ms }) => [Math.max(fromMs, spokenAtMs), Math.min(fromMs + ms, answeredAtMs)] as const)
    .filter(([from, to]) => to > from)
    .sort(([one], [other]) => one - other);
  let covered = 0;
  let until = spokenAtMs;
  for (const [from, to] of spans) {
    covered += Math.max(0, to - Math.max(from, until));
    until = Math.max(until, to);
  }
  return covered;
}

/** For an even count, returns the smaller of the two middle values. */
export function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(sorted.length / 2) - 1)] ?? null;
}

/** Splits the text into lower-case words without punctuation. */
const wordsOf = (text: string): string[] => text.toLowerCase().match(/[a-z0-9]+/g) ?? [];

function isSame(said: string, heard: string): boolean {
  const [wanted, had] = [wordsOf(said), new Set(wordsOf(heard))];
  return wanted.filter((word) => had.has(word)).length >= MIN_SHARE * wanted.length;
}

/** Returns true if each wanted word is the beginning of a word in the text. */
export function hasAll(text: string, wanted: readonly string[]): boolean {
  const words = wordsOf(text);
  return wanted.every((each) => words.some((word) => word.startsWith(each)));
}
