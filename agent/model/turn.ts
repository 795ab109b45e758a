/** Extracts the turn to answer from the chat history. */
import type { llm } from '@livekit/agents';

export interface Turn {
  /** The caller's last words. Empty before the caller has spoken. */
  words: string;
  /** The caller's words in their previous turn. */
  wordsBefore: string;
  /** Index of the caller's last words in the chat history, or the history's length when there are none. */
  at: number;
  /**
   * False when the turn continues after a tool call. The history then already contains a tool call or an answer after the caller's words.
   */
  isNew: boolean;
  /** Everything the agent has said so far. */
  said: readonly string[];
}

export function turnOf({ items }: Pick<llm.ChatContext, 'items'>): Turn {
  const callerTurns = items.flatMap((item, at) =>
    item.type === 'message' && item.role === 'user' ? [{ at, words: item.textContent ?? '' }] : [],
  );
  const last = callerTurns.at(-1);
  const said = items.flatMap((item) =>
    item.type === 'message' && item.role === 'assistant' ? [item.textContent ?? ''] : [],
  );
  const isAnswered = items
    .slice(last === undefined ? items.length : last.at + 1)
    .some(({ type, ...item }) => type !== 'message' || ('role' in item && item.role === 'assistant'));
  return {
    words: last?.words ?? '',
    wordsBefore: callerTurns.at(-2)?.words ?? '',
    at: last?.at ?? items.length,
    isNew: last !== undefined && !isAnswered,
    said,
  };
}
