import { choiceOf } from '../format/search-params';
import { SECTIONS, type Section } from './schema';

export const agentFilters = (search: Record<string, unknown>): { section?: Section | undefined } => ({
  section: choiceOf(search.section, SECTIONS),
});
