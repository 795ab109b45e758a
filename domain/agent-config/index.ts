/** The tables that describe an agent's configuration, one per section. */
import { analysis } from './analysis';
import { deployment } from './deployment';
import { experience } from './experience';
import { persona } from './persona';
import { resolveSection } from './resolve';
import type { ItemRow, GroupRow, ResolvedOf, Section, SentOf } from './rows';
import { training } from './training';

export { resolveSection } from './resolve';

export const SECTIONS = { persona, training, experience, analysis, deployment } as const satisfies Record<
  string,
  Section
>;

export type SectionName = keyof typeof SECTIONS;

export const SECTION_NAMES = [
  'persona',
  'training',
  'experience',
  'analysis',
  'deployment',
] as const satisfies readonly SectionName[];

type RowsOf<Name extends SectionName> = (typeof SECTIONS)[Name]['rows'];

/** A configuration as it is sent, stored and shown. Stored sections also keep unknown keys, and `null` means the same as absent. */
export type AgentConfig = { [Name in SectionName]?: SentOf<GroupRow<RowsOf<Name>>> | null };

/** A configuration as a call uses it. Every field is present and within its limits, and missing values are replaced by defaults. */
export type ResolvedConfig = { readonly [Name in SectionName]: ResolvedSection<Name> };

export type ResolvedSection<Name extends SectionName> = ResolvedOf<GroupRow<RowsOf<Name>>>;

type DispositionRow =
  (typeof analysis)['rows']['evaluations']['rows']['dispositions']['rows']['prompt_based']['entry'];
type DataPointRow =
  (typeof analysis)['rows']['extraction']['rows']['data_collection']['rows']['data_points']['entry'];
export type DispositionItem = ItemOf<DispositionRow>;
export type DataPoint = ItemOf<DataPointRow>;
type ItemOf<R> = R extends ItemRow ? ResolvedOf<R> : never;

/** Accepts any value, even an invalid one (see `resolve.ts`). */
export function resolveConfig(stored: unknown): ResolvedConfig {
  const held: Partial<Record<SectionName, unknown>> =
    typeof stored === 'object' && stored !== null ? stored : {};
  return {
    persona: resolveSection(persona, held.persona),
    training: resolveSection(training, held.training),
    experience: resolveSection(experience, held.experience),
    analysis: resolveSection(analysis, held.analysis),
    deployment: resolveSection(deployment, held.deployment),
  };
}

const { max_call_duration: talk } = experience.rows.settings.rows.call_settings.rows;

/**
 * Returns the maximum duration of a conversation. If none is configured, this is the highest configurable limit, so that no call holds a
 * line forever.
 */
export function maxTalkSeconds({ experience: { settings } }: Pick<ResolvedConfig, 'experience'>): number {
  const { max_call_duration: minutes, max_duration_enabled: isLimited } = settings.call_settings;
  return Math.round(isLimited ? minutes : talk.max) * 60;
}

/** Returns the number whose callers the agent answers. Null if it takes no inbound calls. */
export function inboundNumber(stored: AgentConfig): string | null {
  const { Inbound: number } = resolveSection(deployment, stored.deployment).phone.call_type;
  return number === '' ? null : number;
}

/** Returns the caller IDs through which the agent's calls rotate. If empty, the carrier chooses. */
export const outboundNumbers = (stored: AgentConfig): readonly string[] =>
  resolveSection(deployment, stored.deployment).phone.call_type.Outbound;

/** Returns all inbound and outbound numbers of a configuration, or of a change to one. */
export function numbersOf(stored: AgentConfig): string[] {
  const { Inbound, Outbound } = resolveSection(deployment, stored.deployment).phone.call_type;
  return [...new Set(Inbound === '' ? Outbound : [Inbound, ...Outbound])];
}

/** Returns whether the organization's own server generates the agent's answers. */
export const hasCustomLlm = ({ persona }: Pick<ResolvedConfig, 'persona'>): boolean =>
  persona.senses_capabilities.brain.llm.primary.provider === 'custom';

/** Returns the data points to extract. Empty unless data collection is enabled. */
export function dataPointsOf({ extraction }: ResolvedSection<'analysis'>): readonly DataPoint[] {
  const { enabled, data_points: points } = extraction.data_collection;
  return enabled ? points : [];
}

/** Returns the dispositions to decide. Empty unless dispositions are enabled. */
export function dispositionsOf({ evaluations }: ResolvedSection<'analysis'>): readonly DispositionItem[] {
  const { enabled, prompt_based: items } = evaluations.dispositions;
  return enabled ? items : [];
}
