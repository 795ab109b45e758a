import { deployment } from './deployment';
import { experience } from './experience';
import { resolveSection } from './resolve';
import type { AgentConfig, DataPoint, DispositionItem, ResolvedConfig, ResolvedSection } from './tables';

const { max_call_duration: talk } = experience.rows.settings.rows.call_settings.rows;

/** The maximum duration of a conversation. Without a limit, it is the highest that can be configured, so that no call holds a line forever. */
export function maxTalkSeconds({ experience: { settings } }: Pick<ResolvedConfig, 'experience'>): number {
  const { max_call_duration: minutes, max_duration_enabled: isLimited } = settings.call_settings;
  return Math.round(isLimited ? minutes : talk.most) * 60;
}

/** The number whose callers the agent answers, or null if it takes no inbound calls. */
export function inboundNumber(stored: AgentConfig): string | null {
  const { Inbound: number } = resolveSection(deployment, stored.deployment).phone.call_type;
  return number === '' ? null : number;
}

/** The caller IDs that the agent's calls use in rotation. If empty, the carrier chooses. */
export const outboundNumbers = (stored: AgentConfig): readonly string[] =>
  resolveSection(deployment, stored.deployment).phone.call_type.Outbound;

/** All inbound and outbound numbers of a configuration, or of a change to one. */
export function numbersOf(stored: AgentConfig): string[] {
  const { Inbound, Outbound } = resolveSection(deployment, stored.deployment).phone.call_type;
  return [...new Set(Inbound === '' ? Outbound : [Inbound, ...Outbound])];
}

/** Whether the agent's answers come from the organization's own server. */
export const hasCustomLlm = ({ persona }: Pick<ResolvedConfig, 'persona'>): boolean =>
  persona.senses_capabilities.brain.llm.primary.provider === 'custom';

/** The data points to extract. Empty unless data collection is enabled. */
export function dataPointsOf({ extraction }: ResolvedSection<'analysis'>): readonly DataPoint[] {
  const { enabled, data_points: points } = extraction.data_collection;
  return enabled ? points : [];
}

/** The dispositions to decide. Empty unless dispositions are enabled. */
export function dispositionsOf({ evaluations }: ResolvedSection<'analysis'>): readonly DispositionItem[] {
  const { enabled, prompt_based: items } = evaluations.dispositions;
  return enabled ? items : [];
}
