/** What is to be answered, as the history shows it. */
import type { llm } from '@livekit/agents';

export interface Turn {
  /** The caller's last words; empty where they have not spoken yet. */
  words: string;
  /** What they said before that. */
  wordsBefore: string;
  /** Place of the caller's last words in the history; its end where there are none. */
  at: number;
  /** False where something was already done or said about these words: the turn goes on after a tool. */
  isNew: boolean;
  /** What the agent has said so far. */
  said: readonly string[];
}

export function turnOf({ items }: Pick<llm.ChatContext, 'items'>): Turn {
  const heard = items.flatMap((item, at) =>
    item.type === 'message' && item.role === 'user' ? [{ at, words: item.textContent ?? '' }] : [],
  );
  const last = heard.at(-1);
  const said = items.flatMap((item) =>
    item.type === 'message' && item.role === 'assistant' ? [item.textContent ?? ''] : [],
  );
  const isAnswered = items
    .slice(last === undefined ? items.length : last.at + 1)
    .some(({ type, ...item }) => type !== 'message' || ('role' in item && item.role === 'assistant'));
  return {
    words: last?.words ?? '',
    wordsBefore: heard.at(-2)?.words ?? '',
    at: last?.at ?? items.length,
    isNew: last !== undefined && !isAnswered,
    said,
  };
}
