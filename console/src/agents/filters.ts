import { choiceOf, pageOf } from '../format/search-params';
import { SECTIONS } from './schema';

export const VIEWS = [...SECTIONS, 'conversations', 'versions'] as const;

export type AgentView = (typeof VIEWS)[number];

export interface AgentFilters {
  section?: AgentView | undefined;
  /** Version that is compared with the current one. */
  version?: number | undefined;
  /** Page of the list of versions. */
  page?: number | undefined;
  /** True while the playground is open next to the form. */
  try?: true | undefined;
}

export const agentFilters = (search: Record<string, unknown>): AgentFilters => ({
  section: choiceOf(search.section, VIEWS),
  version: versionOf(search.version),
  page: pageOf(search.page),
  try: search.try === true ? true : undefined,
});

function versionOf(value: unknown): number | undefined {
  const version = Number(value);
  return Number.isInteger(version) && version >= 1 && version < 2 ** 31 ? version : undefined;
}
