import type { ResolvedSection } from '../agent-config';

export type SpokenSegment = { speaker: 'agent' | 'user'; text: string; startMs: number; endMs: number };

export type AnalysisInput = {
  segments: readonly SpokenSegment[];
  /** `human`, `machine` or `unknown`, as the carrier said; null when it said nothing. */
  answeredBy: string | null;
  /** The call's final status. */
  callStatus: string;
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

export type Sentiment = 'positive' | 'neutral' | 'negative';

/** What the call came to, for people and their systems; told from `callStatus`, which says how it ended. */
export type Outcome =
  | 'voicemail'
  | 'dropped'
  | 'no_conversation'
  | 'callback_requested'
  | 'interested'
  | 'not_interested'
  | 'conversation_completed';

export type ConversationQuality = {
  /** 0-100; 0 when the user did not speak. */
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

export type TranscriptAnalysis = {
  summary: string;
  entity: Record<string, unknown>;
  evalTag: string | null;
  conversationEval: Record<string, unknown>;
  quality: ConversationQuality;
  tags: string[];
  outcome: Outcome;
  callbackRequested: boolean;
  /** When, where a time was named as an instant; null else. */
  callbackAt: number | null;
};
