/** Parses messages of a custom LLM server, which are untrusted input. */
import type { Unchecked } from '../../domain/custom-llm-messages';
import { isJsonObject } from '../../domain/json';

export type ServerMessage =
  | { kind: 'config' }
  | { kind: 'greeting'; content: string }
  | { kind: 'reply'; responseId: number; content: string; isComplete: boolean; endsCall: boolean }
  /** `text` is the message as received, because it is echoed unchanged. */
  | { kind: 'ping'; text: string }
  | { kind: 'unreadable' };

const UNREADABLE: ServerMessage = { kind: 'unreadable' };

export function readServerMessage(text: string): ServerMessage {
  const message = parsed(text);
  if (!isJsonObject(message)) return UNREADABLE;
  if (message.response_type === 'ping_pong') return { kind: 'ping', text };
  if (message.response_type === 'response') return readReply(message);
  if (message.interaction_type === 'config') return { kind: 'config' };
  if (message.interaction_type === 'greeting' && typeof message.content === 'string')
    return { kind: 'greeting', content: message.content };
  return UNREADABLE;
}

/** A message that only completes a reply can omit its content. */
function readReply({
  response_id,
  content,
  content_complete,
  end_call,
}: Unchecked<'response'>): ServerMessage {
  if (typeof response_id !== 'number' || !Number.isInteger(response_id)) return UNREADABLE;
  if (typeof content !== 'string' && content !== undefined && content !== null) return UNREADABLE;
  return {
    kind: 'reply',
    responseId: response_id,
    content: content ?? '',
    isComplete: content_complete === true,
    endsCall: end_call === true,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
