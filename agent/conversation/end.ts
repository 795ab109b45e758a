import type { AgentEndReason } from '../platform/platform-events';
import type { Facts } from './situation';

/** Who ended the conversation. Only the first is the agent's to tell: the others LiveKit tells the platform. */
export type ConversationEnd =
  | { by: 'agent'; reason: AgentEndReason }
  | { by: 'other side' }
  /** Nobody was dialled, or nobody answered, long after it should have been known. */
  | { by: 'nobody' }
  /** The room was deleted, or we were put out of it or lost it. */
  | { by: 'room' }
  | { by: 'another agent' }
  /** This process is told to end. */
  | { by: 'process' };

/** Null while the conversation goes on. What others did counts before what the agent would do. */
export function endOf({
  left,
  closed,
  isStopping,
  isSurplus,
  isSilent,
  isTalkOver,
  isDone,
}: Readonly<Facts>): ConversationEnd | null {
  if (left !== null) return { by: 'other side' };
  if (closed !== null) return { by: 'room' };
  if (isStopping) return { by: 'process' };
  if (isSurplus) return { by: 'another agent' };
  if (isTalkOver) return { by: 'agent', reason: 'max_talk' };
  return isSilent || isDone ? { by: 'agent', reason: 'agent' } : null;
}
