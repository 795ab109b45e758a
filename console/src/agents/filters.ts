import { choiceOf, pageOf, textOf } from '../format/search-params';
import { SECTIONS } from './schema';

export const VIEWS = [...SECTIONS, 'conversations', 'versions'] as const;

export type AgentView = (typeof VIEWS)[number];

export interface AgentFilters {
  section?: AgentView | undefined;
  /** Version to compare with the current one. */
  version?: number | undefined;
  /** Page of the version list. */
  page?: number | undefined;
  /** True while the panel for trying the agent is open. */
  try?: true | undefined;
}

export const agentFilters = (search: Record<string, unknown>): AgentFilters => ({
  section: choiceOf(search.section, VIEWS),
  version: versionOf(search.version),
  page: pageOf(search.page),
  try: search.try === true ? true : undefined,
});

/** Search parameters of the page `/try`: the chosen agent. */
export const tryFilters = (search: Record<string, unknown>): { agent?: string | undefined } => ({
  agent: textOf(search.agent),
});

function versionOf(value: unknown): number | undefined {
  const version = Number(value);
  return Number.isInteger(version) && version >= 1 && version < 2 ** 31 ? version : undefined;
}
