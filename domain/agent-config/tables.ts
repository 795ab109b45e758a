/** All that is known of an agent's configuration: one table per section. */
import { analysis } from './analysis';
import { deployment } from './deployment';
import { experience } from './experience';
import { persona } from './persona';
import { resolveSection } from './resolve';
import type { ItemRow, GroupRow, ResolvedOf, Section, SentOf } from './rows';
import { training } from './training';

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

/**
 * A configuration as it is sent, stored and shown. Stored sections hold more: keys that the service does not know are kept for their owner.
 * `null` means the same as absent: the default.
 */
export type AgentConfig = { [Name in SectionName]?: SentOf<GroupRow<RowsOf<Name>>> | null };

/** A configuration as a call runs it: every field is there, with its default where none is stored, and within its limits. */
export type ResolvedConfig = { readonly [Name in SectionName]: ResolvedSection<Name> };

export type ResolvedSection<Name extends SectionName> = ResolvedOf<GroupRow<RowsOf<Name>>>;

type DispositionRow =
  (typeof analysis)['rows']['evaluations']['rows']['dispositions']['rows']['prompt_based']['entry'];
type DataPointRow =
  (typeof analysis)['rows']['extraction']['rows']['data_collection']['rows']['data_points']['entry'];
export type DispositionItem = ItemOf<DispositionRow>;
export type DispositionType = DispositionItem['type'];
export type DataPoint = ItemOf<DataPointRow>;
type ItemOf<R> = R extends ItemRow ? ResolvedOf<R> : never;

/** Whatever is given: see `resolve.ts`. */
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
