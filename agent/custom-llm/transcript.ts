import type { llm } from '@livekit/agents';
import type { TranscriptEntry } from '../../domain/custom-llm-messages';

/** Returns the conversation and the instructions, without tool calls and their results. */
export function transcriptOf(chatCtx: llm.ChatContext): TranscriptEntry[] {
  return chatCtx.items.flatMap((item) => {
    if (item.type !== 'message') return [];
    const content = item.textContent ?? '';
    if (content === '') return [];
    return [{ role: item.role === 'developer' ? 'system' : item.role, content }];
  });
}
