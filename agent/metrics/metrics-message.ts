/**
 * What the process of a conversation sends to the worker's, which counts for all of them: a process that lives for a few minutes cannot be
 * scraped. No message contains a name, a number or an id.
 */
import { isJsonObject, valueAt } from '../../domain/json';
import { MODEL_KINDS, type ModelKind } from '../../domain/usage-cost';
import { AGENT_END_REASONS } from '../platform/platform-events';

/** Who ended a conversation, and why. */
export const END_LABELS = [
  ...AGENT_END_REASONS,
  'other_side',
  'nobody',
  'room',
  'another_agent',
  'process',
  /** There was no call to hold, or the caller was not accepted. */
  'not_held',
  /** An error occurred in it. */
  'failed',
  /** Its process died. */
  'vanished',
] as const;
export type EndLabel = (typeof END_LABELS)[number];

export type MetricsMessage =
  | { kind: 'begun' }
  | { kind: 'ended'; end: EndLabel }
  /** From the end of the remote party's words to the agent's first audio. */
  | { kind: 'answered'; responseMs: number }
  /** A request that a provider did not serve; it may be retried. */
  | { kind: 'failed'; part: ModelKind; provider: string }
  /** A request that a fallback provider served. */
  | { kind: 'fell back'; part: ModelKind };

/** Distinguishes our messages from the SDK's on the same channel. */
const CASE = 'platformMetrics';

export const toProcessMessage = (message: MetricsMessage): object => ({ case: CASE, value: message });

/** Null for other messages. */
export function readMetricsMessage(message: unknown): MetricsMessage | null {
  const value = valueAt(message, 'value');
  if (valueAt(message, 'case') !== CASE || !isJsonObject(value)) return null;
  const part = MODEL_KINDS.find((one) => one === value.part);
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
