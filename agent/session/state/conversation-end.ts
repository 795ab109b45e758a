import type { EndLabel } from '../../metrics/metrics-message';
import type { AgentEndReason } from '../../platform/platform-events';
import type { SessionFacts } from './session-state';

/** Who ended the conversation. The agent reports only the first; LiveKit reports the others to the platform. */
export type ConversationEnd =
  | { by: 'agent'; reason: Exclude<AgentEndReason, 'dropped'> }
  /** The line is dead. `hadAudio`: something was received over it before. */
  | { by: 'agent'; reason: 'dropped'; hadAudio: boolean }
  | { by: 'remote party' }
  /** Nobody was dialled, or nobody answered, long after it should have been known. */
  | { by: 'nobody' }
  /** The room was deleted, or we were removed from it or lost the connection. */
  | { by: 'room' }
  | { by: 'another agent' }
  /** This process was asked to stop. */
  | { by: 'process' };

/** Null while the conversation goes on. What others did takes precedence over what the agent would do. */
export function endOf({
  left,
  closedReason,
  isStopping,
  isDuplicateAgent,
  isSilent,
  isWithoutAudio,
  isMaxTalkReached,
  isFinished,
}: Readonly<SessionFacts>): ConversationEnd | null {
  if (left !== null) return { by: 'remote party' };
  if (closedReason !== null) return { by: 'room' };
  if (isStopping) return { by: 'process' };
  if (isDuplicateAgent) return { by: 'another agent' };
  if (isWithoutAudio) return { by: 'agent', reason: 'dropped', hadAudio: false };
  if (isMaxTalkReached) return { by: 'agent', reason: 'max_talk' };
  return isSilent || isFinished ? { by: 'agent', reason: 'agent' } : null;
}

/** The label under which an end is counted. Null for a conversation that failed. */
export function endLabelOf(end: ConversationEnd | null): EndLabel {
  if (end === null) return 'failed';
  switch (end.by) {
    case 'agent':
      return end.reason;
    case 'remote party':
      return 'other_side';
    case 'another agent':
      return 'another_agent';
    default:
      return end.by;
  }
}
