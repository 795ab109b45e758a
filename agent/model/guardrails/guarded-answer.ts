/** Checks a streamed answer sentence by sentence before it is spoken. */
import type { llm } from '@livekit/agents';
import type { Guard, Verdict } from './guard';

/**
 * A full stop of Latin scripts ends a sentence only before a space, because of `3.5` and `example.com`. Those of other scripts always do.
 */
const SENTENCE_END = /(?<![.!?…])[.!?…]+["'”’)\]]*(?=\s)|[।॥۔؟。！？]+["'”’)\]]*|\n+/gu;
const ABBREVIATION = /(?:^|[\s(])(?:mr|mrs|ms|dr|prof|st|no|nos|rs|vs|approx|e\.g|i\.e|etc|[a-z])\.$/i;
/** Text without a sentence end is emitted in parts of this length, so that TTS does not wait for the end. */
const LONGEST_PART = 240;
/** The same limit for text without spaces, as in some scripts. */
const LONGEST_WITHOUT_SPACE = 1_000;
const HELD_BACK_WITHOUT_SPACE = 100;

export type AnswerPiece = llm.ChatChunk | string;
export type StoppingVerdict = Extract<Verdict, { kind: 'replace' }>;

/**
 * Emits each sentence as soon as it is complete, or every piece immediately without rules for answers. When a rule stops a sentence, emits
 * the replacement and drops the rest of the answer with its tool calls.
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
    // A tool is called after the text before it was spoken.
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

/** Returns the rest of a piece without its text: tool calls, usage and provider data. */
function withoutText(piece: AnswerPiece): AnswerPiece | null {
  if (typeof piece === 'string') return null;
  const { delta, ...rest } = piece;
  return delta === undefined ? rest : { ...rest, delta: { ...delta, content: '' } };
}

const listOf = (part: Part | null): Part[] => (part === null ? [] : [part]);

interface Part {
  /** All parts joined are the text. */
  text: string;
  /** Known continuation of a part that was cut without a sentence end, because a phrase can span the cut. */
  ahead: string;
}

/** Splits text that arrives in pieces into sentences, each as soon as it is complete. */
export class SentenceSplitter {
  private pending = '';

  /** When text is cut without a sentence end, its last `longestPhrase` words are held back, so that a phrase across the cut is found. */
  constructor(private readonly longestPhrase: number) {}

  /** Returns the sentences that are complete now. */
  push(piece: string): Part[] {
    this.pending += piece;
    const parts: Part[] = [];
    for (let part = this.next(); part !== null; part = this.next()) {
      this.pending = this.pending.slice(part.text.length);
      parts.push(part);
    }
    return parts;
  }

  /** Returns the rest at the end of the text. */
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
