import { isJsonObject, valueAt, type JsonObject } from './json';

export const SECTION_NAMES = ['persona', 'training', 'experience', 'analysis', 'deployment'] as const;
export type SectionName = (typeof SECTION_NAMES)[number];

type Maybe<T> = T | null;

export type DispositionType = 'bool' | 'string' | 'number';

export type DispositionItem = {
  name: string;
  type: DispositionType;
  prompt: string;
  /** Tag to what it means; the tags are the only answers a string disposition can have. */
  list_of_tags?: Maybe<JsonObject>;
};

export type DataPoint = {
  name: string;
  prompt: string;
  values?: Maybe<unknown[]>;
  nullable?: Maybe<boolean>;
};

export type AnalysisSection = {
  evaluations?: Maybe<{
    dispositions?: Maybe<{ enabled?: Maybe<boolean>; prompt_based?: Maybe<DispositionItem[]> }>;
    conversation_evaluation?: Maybe<{ enabled?: Maybe<boolean>; prompt?: Maybe<string> }>;
  }>;
  extraction?: Maybe<{
    data_collection?: Maybe<{ enabled?: Maybe<boolean>; data_points?: Maybe<DataPoint[]> }>;
    collect_concerns?: Maybe<{ enabled?: Maybe<boolean>; prompt?: Maybe<string> }>;
  }>;
};

/**
 * What calls need of an agent's configuration. Stored sections hold more: keys the service does not know
 * are kept for their owner. `null` means the same as absent: the default.
 */
export type AgentConfig = {
  persona?: Maybe<{
    identity?: Maybe<{
      system_prompt?: Maybe<string>;
      greeting_message?: Maybe<{ agent_message?: Maybe<string>; let_user_speak_first?: Maybe<boolean> }>;
    }>;
    metadata?: Maybe<JsonObject>;
  }>;
  training?: Maybe<JsonObject>;
  experience?: Maybe<{
    settings?: Maybe<{
      call_settings?: Maybe<{
        max_call_duration?: Maybe<number>;
        max_duration_enabled?: Maybe<boolean>;
        enable_voicemail_detection?: Maybe<boolean>;
        action?: Maybe<'hang_up' | 'leave_message'>;
        end_call_message?: Maybe<string>;
      }>;
    }>;
  }>;
  analysis?: Maybe<AnalysisSection>;
  deployment?: Maybe<{
    phone?: Maybe<{ call_type?: Maybe<{ Inbound?: Maybe<string>; Outbound?: Maybe<string[]> }> }>;
  }>;
};

const MAX_CALL_MINUTES = { default: 10, least: 1, most: 60 } as const;

// The accessors read stored data, which an older or newer release may have written: they trust no type.

/** The text the agent opens with, variables not yet filled in; empty when there is none. */
export function greetingOf(config: AgentConfig): string {
  return textAt(config, 'persona', 'identity', 'greeting_message', 'agent_message');
}

/** The main prompt, variables not yet filled in; empty when there is none. */
export function promptOf(config: AgentConfig): string {
  return textAt(config, 'persona', 'identity', 'system_prompt');
}

/** The agent's own template variables; those of a contact or a dispatch win over them. */
export function metadataOf(config: AgentConfig): JsonObject {
  const metadata = valueAt(config, 'persona', 'metadata');
  return isJsonObject(metadata) ? metadata : {};
}

/**
 * The longest a conversation may last: ten minutes unless set. An agent that switched its limit off still
 * gets the longest one that can be configured, so that no call holds a line for ever.
 */
export function maxTalkSeconds(config: AgentConfig): number {
  const settings = valueAt(config, 'experience', 'settings', 'call_settings');
  if (valueAt(settings, 'max_duration_enabled') === false) return MAX_CALL_MINUTES.most * 60;
  const minutes = valueAt(settings, 'max_call_duration');
  if (typeof minutes !== 'number' || !Number.isFinite(minutes)) return MAX_CALL_MINUTES.default * 60;
  const allowed = Math.min(Math.max(Math.round(minutes), MAX_CALL_MINUTES.least), MAX_CALL_MINUTES.most);
  return allowed * 60;
}

/** Whether answering machines are to be told from people; off unless the agent switches it on. */
export function amdEnabled(config: AgentConfig): boolean {
  return valueAt(config, 'experience', 'settings', 'call_settings', 'enable_voicemail_detection') === true;
}

/** Whether the agent thinks with a server of its client's own. */
export function hasCustomLlm(config: AgentConfig): boolean {
  return textAt(config, 'persona', 'senses_capabilities', 'brain', 'llm', 'primary', 'provider') === 'custom';
}

/** The caller IDs the agent may dial from; an empty list allows any. */
export function outboundNumbers(config: AgentConfig): string[] {
  const numbers = valueAt(config, 'deployment', 'phone', 'call_type', 'Outbound');
  return Array.isArray(numbers) ? numbers.filter((number) => typeof number === 'string') : [];
}

/** The number whose callers the agent answers; null when it takes no inbound calls. */
export function inboundNumber(config: AgentConfig): string | null {
  const number = textAt(config, 'deployment', 'phone', 'call_type', 'Inbound');
  return number === '' ? null : number;
}

/** The data points to extract; none while data collection is not enabled. */
export function dataPointsOf(analysis: AnalysisSection | null | undefined): DataPoint[] {
  const collection = valueAt(analysis, 'extraction', 'data_collection');
  return enabledItems(collection, 'data_points').filter(isDataPoint);
}

/** The dispositions to decide; none while dispositions are not enabled. */
export function dispositionsOf(analysis: AnalysisSection | null | undefined): DispositionItem[] {
  const dispositions = valueAt(analysis, 'evaluations', 'dispositions');
  return enabledItems(dispositions, 'prompt_based').filter(isDisposition);
}

function textAt(data: unknown, ...path: string[]): string {
  const text = valueAt(data, ...path);
  return typeof text === 'string' ? text : '';
}

function enabledItems(group: unknown, key: string): unknown[] {
  const items = valueAt(group, key);
  return valueAt(group, 'enabled') === true && Array.isArray(items) ? items : [];
}

function isDataPoint(item: unknown): item is DataPoint {
  return isJsonObject(item) && typeof item.name === 'string';
}

function isDisposition(item: unknown): item is DispositionItem {
  if (!isJsonObject(item) || typeof item.name !== 'string') return false;
  return item.type === 'bool' || item.type === 'string' || item.type === 'number';
}
