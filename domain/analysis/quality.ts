import { NEGATIVE, NEITHER, POSITIVE } from './phrases';
import type { TranscriptSegment } from '../transcript';
import type { ConversationQuality, Measured, Sentiment } from './types';
import { allMentioned } from './wording';

const SLOW_ANSWER_MS = 2_000;

/**
 * Uses the agent's measurements if there are any. Otherwise derives figures from the segments' times, which include the transcription
 * delay.
 */
export function qualityOf(
  segments: readonly TranscriptSegment[],
  userText: string,
  measured: Measured | null = null,
): ConversationQuality {
  const responses =
    measured === null || measured.responseMs.length === 0 ? responseTimes(segments) : measured.responseMs;
  const figures = {
    sentiment: sentimentOf(userText),
    agent_talk_ratio: talkRatio(segments),
    interruptions: measured?.interruptions ?? countInterruptions(segments),
    avg_response_ms: responses.length === 0 ? null : Math.round(total(responses) / responses.length),
    p95_response_ms: percentile95(responses),
  };
  return { score: userText === '' ? 0 : scoreOf(figures), ...figures };
}

/** Searches all phrases together, so that "not good" is not mistaken for "good", or "no problem" for a problem. */
function sentimentOf(userText: string): Sentiment {
  let balance = 0;
  for (const phrase of allMentioned(userText, [...POSITIVE, ...NEGATIVE, ...NEITHER])) {
    if (POSITIVE.includes(phrase)) balance += 1;
    if (NEGATIVE.includes(phrase)) balance -= 1;
  }
  if (balance === 0) return 'neutral';
  return balance > 0 ? 'positive' : 'negative';
}

/** Computes the score of a call in which the user spoke. */
export function scoreOf({
  sentiment,
  interruptions,
  avg_response_ms: averageMs,
}: Pick<ConversationQuality, 'sentiment' | 'interruptions' | 'avg_response_ms'>): number {
  const mood = { positive: 30, neutral: 0, negative: -30 }[sentiment];
  const slow = averageMs !== null && averageMs > SLOW_ANSWER_MS ? 10 : 0;
  return Math.min(100, Math.max(0, 70 + mood - 5 * interruptions - slow));
}

function talkRatio(segments: readonly TranscriptSegment[]): number {
  const agent = total(segments.filter(({ speaker }) => speaker === 'agent').map(lengthMs));
  const everyone = total(segments.map(lengthMs));
  return everyone === 0 ? 0 : Math.round((agent / everyone) * 100) / 100;
}

function countInterruptions(segments: readonly TranscriptSegment[]): number {
  const agents = segments.filter(({ speaker }) => speaker === 'agent');
  return segments.filter(
    (user) =>
      user.speaker === 'user' &&
      agents.some((agent) => user.startMs > agent.startMs && user.startMs < agent.endMs),
  ).length;
}

function responseTimes(segments: readonly TranscriptSegment[]): number[] {
  const times: number[] = [];
  for (const [index, segment] of segments.entries()) {
    const before = segments[index - 1];
    if (segment.speaker !== 'agent' || before?.speaker !== 'user') continue;
    times.push(Math.max(0, segment.startMs - before.endMs));
  }
  return times;
}

function percentile95(times: readonly number[]): number | null {
  const sorted = [...times].sort((one, other) => one - other);
  const value = sorted[Math.ceil(sorted.length * 0.95) - 1];
  return value === undefined ? null : Math.round(value);
}

function lengthMs(segment: TranscriptSegment): number {
  return Math.max(0, segment.endMs - segment.startMs);
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
