import type { ResolvedSection } from '../agent-config';
import type { AnsweredBy, FinalCallStatus } from '../call-outcome';
import type { TranscriptSegment } from '../transcript';

export type AnalysisInput = {
  segments: readonly TranscriptSegment[];
  /** As the carrier said; null when it said nothing. */
  answeredBy: AnsweredBy | null;
  callStatus: FinalCallStatus;
  config: ResolvedSection<'analysis'>;
  /** What the agent measured while it talked; without it, figures are taken from the segments' times. */
  measured?: Measured | null;
  /** The agent asks for a callback, `at` null where no time was named; absent where it asks for none. */
  callback?: { at: number | null };
};

export type Measured = {
  /** From the end of each of the user's turns to the agent's first sound. */
  responseMs: readonly number[];
  /** How often the agent was interrupted. */
  interruptions: number;
};

export const SENTIMENTS = ['positive', 'neutral', 'negative'] as const;
export type Sentiment = (typeof SENTIMENTS)[number];

/** What the call came to, for people and their systems; not `callStatus`, which says how it ended. */
export type Outcome =
  | 'voicemail'
  | 'dropped'
  | 'no_conversation'
  | 'callback_requested'
  | 'interested'
  | 'not_interested'
  | 'conversation_completed';

export type ConversationQuality = {
  /** 0-100; 0 when the user said fewer than three words. */
  score: number;
  sentiment: Sentiment;
  /** The agent's part of all speaking time, 0-1. */
  agent_talk_ratio: number;
  /** How often the user began while the agent was speaking. */
  interruptions: number;
  /** From the end of the user's turn to the agent's answer; null when the agent answered nothing. */
  avg_response_ms: number | null;
  p95_response_ms: number | null;
};

/** What found a call's findings: a language model, or the built-in rules. */
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
  /** The person is not to be called again. False where the agent does not ask for it to be found. */
  doNotCall: boolean;
  /** When, where a time was named as an instant; null else. */
  callbackAt: number | null;
};
