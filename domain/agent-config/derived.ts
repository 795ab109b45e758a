/** What follows from several fields of a resolved configuration. */
import { deployment } from './deployment';
import { experience } from './experience';
import { resolveSection } from './resolve';
import type { AgentConfig, DataPoint, DispositionItem, ResolvedConfig, ResolvedSection } from './tables';

const { max_call_duration: talk } = experience.rows.settings.rows.call_settings.rows;

/**
 * The longest a conversation may last. An agent that switched its limit off still gets the longest one that can be configured, so that no
 * call holds a line for ever.
 */
export function maxTalkSeconds({ experience: { settings } }: Pick<ResolvedConfig, 'experience'>): number {
  const { max_call_duration: minutes, max_duration_enabled: isLimited } = settings.call_settings;
  return Math.round(isLimited ? minutes : talk.most) * 60;
}

/** The number whose callers a stored agent answers; null when it takes no inbound calls. */
export function inboundNumber(stored: AgentConfig): string | null {
  const { Inbound: number } = resolveSection(deployment, stored.deployment).phone.call_type;
  return number === '' ? null : number;
}

/** Those that its calls come from in turn; none leaves the choice to the carrier. */
export const outboundNumbers = (stored: AgentConfig): readonly string[] =>
  resolveSection(deployment, stored.deployment).phone.call_type.Outbound;

/** Every number that a configuration, or a change of one, names: to answer and to call from. */
export function numbersOf(stored: AgentConfig): string[] {
  const { Inbound, Outbound } = resolveSection(deployment, stored.deployment).phone.call_type;
  return [...new Set(Inbound === '' ? Outbound : [Inbound, ...Outbound])];
}

/** Whether the agent thinks with a server of its client's own. */
export const hasCustomLlm = ({ persona }: Pick<ResolvedConfig, 'persona'>): boolean =>
  persona.senses_capabilities.brain.llm.primary.provider === 'custom';

/** The data points to extract; none while data collection is not enabled. */
export function dataPointsOf({ extraction }: ResolvedSection<'analysis'>): readonly DataPoint[] {
  const { enabled, data_points: points } = extraction.data_collection;
  return enabled ? points : [];
}

/** The dispositions to decide; none while dispositions are not enabled. */
export function dispositionsOf({ evaluations }: ResolvedSection<'analysis'>): readonly DispositionItem[] {
  const { enabled, prompt_based: items } = evaluations.dispositions;
  return enabled ? items : [];
}
