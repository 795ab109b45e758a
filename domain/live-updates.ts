/** Live updates of a call, which are sent to the listeners of its live captions and never stored. */
import { isJsonObject, valueAt } from './json';
import { SPEAKERS, type Speaker } from './transcript';

export const LIVE_KINDS = [
  'turn_started',
  'turn_ended',
  'interrupted',
  'agent_thinking',
  'transcript',
] as const;
export type LiveKind = (typeof LIVE_KINDS)[number];

/** Maximum length of a `text`. */
export const MAX_LIVE_CHARACTERS = 2_000;

export interface LiveUpdate {
  kind: LiveKind;
  /** ISO 8601. */
  at: string;
  speaker?: Speaker;
  /** Only in a `transcript`. The speaker's words so far. */
  text?: string;
}

export interface LiveItem {
  callId: string;
  update: LiveUpdate;
}

/** Reads items from another API process. Skips unknown items, because that process may run another release. */
export function readLiveItems(payload: string): LiveItem[] {
  const items = parsed(payload);
  return Array.isArray(items) ? items.filter(isLiveItem) : [];
}

function isLiveItem(item: unknown): item is LiveItem {
  const [kind, speaker, text] = ['kind', 'speaker', 'text'].map((name) => valueAt(item, 'update', name));
  return (
    isJsonObject(item) &&
    typeof item.callId === 'string' &&
    typeof valueAt(item, 'update', 'at') === 'string' &&
    LIVE_KINDS.some((known) => known === kind) &&
    (speaker === undefined || SPEAKERS.some((known) => known === speaker)) &&
    (text === undefined || typeof text === 'string')
  );
}

function parsed(payload: string): unknown {
  try {
    return JSON.parse(payload) as unknown;
  } catch {
    return null;
  }
}
