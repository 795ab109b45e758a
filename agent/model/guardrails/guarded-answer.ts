/** Checks a streamed answer sentence by sentence before it is spoken. */
import type { llm } from '@livekit/agents';
import type { Guard, Verdict } from './guard';

/**
 * A Latin full stop ends a sentence only before a space, because of `3.5` and `example.com`. Full stops of other scripts always end one.
 */
const SENTENCE_END = /(?<![.!?…])[.!?…]+["'”’)\]]*(?=\s)|[।॥۔؟。！？]+["'”’)\]]*|\n+/gu;
const ABBREVIATION = /(?:^|[\s(])(?:mr|mrs|ms|dr|prof|st|no|nos|rs|vs|approx|e\.g|i\.e|etc|[a-z])\.$/i;
/** Text without a sentence end is emitted in parts of this length, so that TTS does not have to wait. */
const LONGEST_PART = 240;
/** The same limit for scripts without spaces. */
const LONGEST_WITHOUT_SPACE = 1_000;
const HELD_BACK_WITHOUT_SPACE = 100;

export type AnswerPiece = llm.ChatChunk | string;
export type StoppingVerdict = Extract<Verdict, { kind: 'replace' }>;

/**
 * Emits each sentence as soon as it is complete, or every piece immediately if there are no rules for answers. When a rule stops a
 * sentence, emits the replacement and drops the rest of the answer, including its tool calls.
 */
export async function* guardedAnswer(
  answer: AsyncIterable<AnswerPiece>,
  guard: Guard,
  replacementOf: (verdict: StoppingVerdict) => Iterable<AnswerPiece>,
): AsyncGenerator<AnswerPiece> {
  if (guard.longestAgentPhrase === 0) {
    yield* answer;
    return;
  }
  const splitter = new SentenceSplitter(guard.longestAgentPhrase);
  let hasSpoken = false;
  const checked = function* (parts: readonly Part[]): Generator<AnswerPiece, boolean> {
    for (const { text, ahead } of parts) {
      const verdict = guard.checkAgent(text, ahead);
      if (verdict.kind === 'replace') {
        if (hasSpoken) yield ' ';
        yield* replacementOf(verdict);
        return true;
      }
      hasSpoken = true;
      yield text;
    }
    return false;
  };
  for await (const piece of answer) {
    const text = textOf(piece);
    const parts: Part[] = text === '' ? [] : splitter.push(text);
    // Emit all text before the tool call, because the tool runs after that text was spoken.
    if (callsTool(piece)) parts.push(...listOf(splitter.flush()));
    if (yield* checked(parts)) return;
    const rest = withoutText(piece);
    if (rest !== null) yield rest;
  }
  yield* checked(listOf(splitter.flush()));
}

const textOf = (piece: AnswerPiece): string =>
  typeof piece === 'string' ? piece : (piece.delta?.content ?? '');

const callsTool = (piece: AnswerPiece): boolean =>
  typeof piece !== 'string' && (piece.delta?.toolCalls?.length ?? 0) > 0;

/** Returns a piece without its text, but with its tool calls, usage and provider data. Returns null for a plain string. */
function withoutText(piece: AnswerPiece): AnswerPiece | null {
  if (typeof piece === 'string') return null;
  const { delta, ...rest } = piece;
  return delta === undefined ? rest : { ...rest, delta: { ...delta, content: '' } };
}

const listOf = (part: Part | null): Part[] => (part === null ? [] : [part]);

interface Part {
  /** The concatenation of all parts is the original text. */
  text: string;
  /** Start of the text that follows, for a part that was cut without a sentence end. A phrase can span the cut. */
  ahead: string;
}

/** Splits streamed text into sentences and returns each as soon as it is complete. */
export class SentenceSplitter {
  private pending = '';

  /**
   * Whenever text is cut without a sentence end, the last `longestPhrase` words are held back so that a phrase across the cut is found.
   */
  constructor(private readonly longestPhrase: number) {}

  /** Returns the sentences that this piece completes. */
  push(piece: string): Part[] {
    this.pending += piece;
    const parts: Part[] = [];
    for (let part = this.next(); part !== null; part = this.next()) {
      this.pending = this.pending.slice(part.text.length);
      parts.push(part);
    }
    return parts;
  }

  /** Returns the remaining text at the end of the answer. */
  flush(): Part | null {
    const text = this.pending;
    this.pending = '';
    return text === '' ? null : { text, ahead: '' };
  }

  private next(): Part | null {
    for (const match of this.pending.matchAll(SENTENCE_END)) {
      const text = this.pending.slice(0, match.index + match[0].length);
      if (text.trim() !== '' && !ABBREVIATION.test(text)) return { text, ahead: '' };
    }
    const cut = this.cut();
    return cut === null ? null : { text: this.pending.slice(0, cut), ahead: this.pending.slice(cut) };
  }

  private cut(): number | null {
    if (this.pending.length <= LONGEST_PART) return null;
    const starts = [...this.pending.matchAll(/(?<=\s)\S/gu)].map(({ index }) => index);
    // The last word may be incomplete.
    const at = starts.at(-1 - this.longestPhrase);
    if (at !== undefined) return at;
    return this.pending.length > LONGEST_WITHOUT_SPACE ? this.pending.length - HELD_BACK_WITHOUT_SPACE : null;
  }
}
