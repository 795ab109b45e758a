import type { AgentEndReason } from '../../platform/platform-events';
import type { SessionFacts } from './session-state';

/** Who ended the conversation. Only the first is the agent's to tell: the others LiveKit tells the platform. */
export type ConversationEnd =
  | { by: 'agent'; reason: AgentEndReason }
  | { by: 'remote party' }
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
  closedReason,
  isStopping,
  isDuplicateAgent,
  isSilent,
  isMaxTalkReached,
  isFinished,
}: Readonly<SessionFacts>): ConversationEnd | null {
  if (left !== null) return { by: 'remote party' };
  if (closedReason !== null) return { by: 'room' };
  if (isStopping) return { by: 'process' };
  if (isDuplicateAgent) return { by: 'another agent' };
  if (isMaxTalkReached) return { by: 'agent', reason: 'max_talk' };
  return isSilent || isFinished ? { by: 'agent', reason: 'agent' } : null;
}
