import { choiceOf, pageOf, textOf } from '../format/search-params';
import { SECTIONS } from './schema';

export const VIEWS = [...SECTIONS, 'conversations', 'versions'] as const;

export type AgentView = (typeof VIEWS)[number];

export interface AgentFilters {
  section?: AgentView | undefined;
  /** Version that is compared with the current one. */
  version?: number | undefined;
  /** Page of the list of versions. */
  page?: number | undefined;
  /** True while a session can be started next to the form. */
  try?: true | undefined;
}

export const agentFilters = (search: Record<string, unknown>): AgentFilters => ({
  section: choiceOf(search.section, VIEWS),
  version: versionOf(search.version),
  page: pageOf(search.page),
  try: search.try === true ? true : undefined,
});

/** The agent that is chosen on the page for trying one. */
export const tryFilters = (search: Record<string, unknown>): { agent?: string | undefined } => ({
  agent: textOf(search.agent),
});

function versionOf(value: unknown): number | undefined {
  const version = Number(value);
  return Number.isInteger(version) && version >= 1 && version < 2 ** 31 ? version : undefined;
}
