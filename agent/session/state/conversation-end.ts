import type { EndLabel } from '../../metrics/conversation-metrics';
import type { AgentEndReason } from '../../platform/platform-events';
import type { SessionFacts } from './session-state';

/** The party that ended the conversation. The agent reports ends by `agent`; LiveKit reports all others to the platform. */
export type ConversationEnd =
  | { by: 'agent'; reason: Exclude<AgentEndReason, 'dropped'> }
  /** The phone line is dead. `hadAudio` is true if any audio had arrived before. */
  | { by: 'agent'; reason: 'dropped'; hadAudio: boolean }
  | { by: 'user' }
  /** The call was not dialled or not answered in time. */
  | { by: 'unanswered' }
  /** The room was deleted, or the agent was removed or lost its connection. */
  | { by: 'room' }
  | { by: 'another agent' }
  /** This process must stop. */
  | { by: 'process' };

/** Returns null while the conversation continues. If several ends apply, an end that the agent didn't cause takes precedence. */
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
  if (left !== null) return { by: 'user' };
  if (closedReason !== null) return { by: 'room' };
  if (isStopping) return { by: 'process' };
  if (isDuplicateAgent) return { by: 'another agent' };
  if (isWithoutAudio) return { by: 'agent', reason: 'dropped', hadAudio: false };
  if (isMaxTalkReached) return { by: 'agent', reason: 'max_talk' };
  return isSilent || isFinished ? { by: 'agent', reason: 'agent' } : null;
}

/** Returns the metric label of an end. Null stands for a conversation that failed. */
export function endLabelOf(end: ConversationEnd | null): EndLabel {
  if (end === null) return 'failed';
  switch (end.by) {
    case 'agent':
      return end.reason;
    case 'another agent':
      return 'another_agent';
    default:
      return end.by;
  }
}
