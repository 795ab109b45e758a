/**
 * What the process of a conversation tells the worker's, which counts for all of them: one that lives for a few minutes is nothing to
 * scrape. Nothing in it is a name, a number or an id.
 */
import { isJsonObject, valueAt } from '../../workflows/domain/json';

export const PARTS = ['stt', 'llm', 'tts'] as const;
export type Part = (typeof PARTS)[number];

/** Who ended a conversation, and why. */
export const END_LABELS = [
  'agent',
  'max_talk',
  'no_answer',
  'dropped',
  'other_side',
  'nobody',
  'room',
  'another_agent',
  'process',
  /** There was no call to hold, or the caller was not taken. */
  'not_held',
  /** Something in it failed. */
  'failed',
  /** Its process died. */
  'vanished',
] as const;
export type EndLabel = (typeof END_LABELS)[number];

export type MetricsMessage =
  | { kind: 'begun' }
  | { kind: 'ended'; end: EndLabel }
  /** From the other side's last word to the agent's first sound. */
  | { kind: 'answered'; responseMs: number }
  /** A request to a provider that was not served; it may be tried again. */
  | { kind: 'failed'; part: Part; provider: string }
  /** A request that another provider served in place of the first. */
  | { kind: 'fell back'; part: Part };

/** Beside the SDK's own messages between the two processes. */
const CASE = 'platformMetrics';

export const toProcessMessage = (message: MetricsMessage): object => ({ case: CASE, value: message });

/** Null for messages of others. */
export function readMetricsMessage(message: unknown): MetricsMessage | null {
  const value = valueAt(message, 'value');
  if (valueAt(message, 'case') !== CASE || !isJsonObject(value)) return null;
  const part = PARTS.find((one) => one === value.part);
  switch (value.kind) {
    case 'begun':
      return { kind: 'begun' };
    case 'ended': {
      const end = END_LABELS.find((one) => one === value.end);
      return end === undefined ? null : { kind: 'ended', end };
    }
    case 'answered':
      return typeof value.responseMs === 'number' ? { kind: 'answered', responseMs: value.responseMs } : null;
    case 'failed':
      return part === undefined || typeof value.provider !== 'string'
        ? null
        : { kind: 'failed', part, provider: value.provider };
    case 'fell back':
      return part === undefined ? null : { kind: 'fell back', part };
    default:
      return null;
  }
}
