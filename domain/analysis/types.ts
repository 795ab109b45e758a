import type { ResolvedSection } from '../agent-config';
import type { AnsweredBy, FinalCallStatus } from '../call-outcome';
import type { TranscriptSegment } from '../transcript';

export type AnalysisInput = {
  segments: readonly TranscriptSegment[];
  /** As reported by the carrier. Null if unknown. */
  answeredBy: AnsweredBy | null;
  callStatus: FinalCallStatus;
  config: ResolvedSection<'analysis'>;
  /** The agent's measurements. Without them, figures are derived from the segments' times. */
  measured?: Measured | null;
  /** Present if the agent scheduled a callback. `at` is null if no time was named. */
  callback?: { at: number | null };
};

export type Measured = {
  /** Milliseconds from the end of each user turn to the agent's first audio. */
  responseMs: readonly number[];
  /** Number of times the agent was interrupted. */
  interruptions: number;
};

export const SENTIMENTS = ['positive', 'neutral', 'negative'] as const;
export type Sentiment = (typeof SENTIMENTS)[number];

/** The business result. `callStatus` says how the call ended. */
export type Outcome =
  | 'voicemail'
  | 'dropped'
  | 'no_conversation'
  | 'callback_requested'
  | 'interested'
  | 'not_interested'
  | 'conversation_completed';

export type ConversationQuality = {
  /** 0-100, and 0 if the user said fewer than three words. */
  score: number;
  sentiment: Sentiment;
  /** The agent's share of the speaking time, from 0 to 1. */
  agent_talk_ratio: number;
  /** Number of times the user started to speak while the agent was speaking. */
  interruptions: number;
  /** Time from the end of the user's turn to the agent's response. Null if the agent never responded. */
  avg_response_ms: number | null;
  p95_response_ms: number | null;
};

/** Whether the findings come from a language model or from the built-in rules. */
export const ANALYSIS_METHODS = ['model', 'rules'] as const;
export type AnalysisMethod = (typeof ANALYSIS_METHODS)[number];

export type TranscriptAnalysis = {
  summary: string;
  entity: Record<string, unknown>;
  evalTag: string | null;
  conversationEval: Record<string, unknown>;
  quality: ConversationQuality;
  tags: string[];
  outcome: Outcome;
  callbackRequested: boolean;
  /** The person opted out of calls. Always false unless the agent's configuration enables this check. */
  doNotCall: boolean;
  /** When the callback is due. Null if no time was named. */
  callbackAt: number | null;
};
