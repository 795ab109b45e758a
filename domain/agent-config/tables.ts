/** The tables that describe an agent's configuration, one per section. */
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

/** A configuration as sent, stored and shown. Stored sections also keep unknown keys, and `null` means the same as absent. */
export type AgentConfig = { [Name in SectionName]?: SentOf<GroupRow<RowsOf<Name>>> | null };

/** A configuration as a call uses it: every field is present and within its limits, with its default if none is stored. */
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

/** Resolves any value, even an invalid one (see `resolve.ts`). */
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
