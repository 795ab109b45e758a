/** Filler words that the agent says while the model generates. */
import { ReadableStream } from 'node:stream/web';
import type { voice } from '@livekit/agents';
import type { ResolvedConfig } from '../../../domain/agent-config';

export interface Fillers {
  /** Share of answers that begin with a filler, from 0 to 1. */
  frequency: number;
  words: readonly string[];
}

type LlmNode = voice.Agent['llmNode'];
type Answer = NonNullable<Awaited<ReturnType<LlmNode>>>;
type Piece = Answer extends ReadableStream<infer One> ? One : never;

export function fillersOf({ experience }: Pick<ResolvedConfig, 'experience'>): Fillers {
  const { filler_words: fillers } = experience.conversational_experience;
  return { frequency: fillers.filler_words_frequency, words: fillers.filler_words_list };
}

/**
 * Chooses a filler for each answer. Fillers are spread evenly at the configured frequency and used in turn, so the choice is deterministic.
 */
export class FillerChoice {
  private answers = 0;
  private said = 0;

  constructor(private readonly fillers: Fillers) {}

  next(): string | null {
    const { frequency, words } = this.fillers;
    this.answers += 1;
    if (words.length === 0 || Math.floor(this.answers * frequency) <= this.said) return null;
    this.said += 1;
    return words[(this.said - 1) % words.length] ?? null;
  }
}

/** Starts an answer with a filler, spoken while the model generates. The continuation after a tool call gets none. */
export function withFillers(agent: voice.Agent, choice: FillerChoice, flush: Piece): void {
  const think = agent.llmNode.bind(agent);
  agent.llmNode = async (...args: Parameters<LlmNode>) => {
    const last = args[0].items.at(-1);
    const filler = last?.type === 'message' && last.role === 'user' ? choice.next() : null;
    return filler === null
      ? think(...args)
      : ReadableStream.from(prependFiller(filler, think(...args), flush));
  };
}

async function* prependFiller(
  filler: string,
  answer: ReturnType<LlmNode>,
  flush: Piece,
): AsyncGenerator<Piece> {
  // If the answer fails while the filler is spoken, the `await` below throws the error.
  answer.catch(() => undefined);
  yield /[\p{L}\p{N}]$/u.test(filler) ? `${filler}, ` : `${filler} `;
  yield flush;
  const rest = await answer;
  if (rest !== null) yield* rest;
}
