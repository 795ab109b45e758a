/** Checks a streamed answer sentence by sentence before it is spoken. */
import type { llm } from '@livekit/agents';
import type { Guard, Verdict } from './guard';
import { SentenceSplitter, type Part } from './sentences';

export type AnswerPiece = llm.ChatChunk | string;
export type StoppingVerdict = Extract<Verdict, { kind: 'replace' }>;

/**
 * Emits each sentence as soon as it is complete, or every piece immediately without rules for answers. When a rule stops a sentence, emits the
 * replacement and drops the rest of the answer with its tool calls.
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
