import { AUDIT_ACTIONS } from '../../../sdk/typescript/generated';
import { choiceOf, dayOrNothing, pageOf, textOf } from '../format/search-params';

export interface AuditFilters {
  /** The actor: `operator`, `agent`, or the id of a key or an agent. */
  who?: string | undefined;
  action?: (typeof AUDIT_ACTIONS)[number] | undefined;
  /** Id of the changed object. */
  subject?: string | undefined;
  /** First and last day, both inclusive. */
  from?: string | undefined;
  to?: string | undefined;
  page?: number | undefined;
}

export const auditFilters = (search: Record<string, unknown>): AuditFilters => ({
  who: textOf(search.who),
  action: choiceOf(search.action, AUDIT_ACTIONS),
  subject: textOf(search.subject),
  from: dayOrNothing(search.from),
  to: dayOrNothing(search.to),
  page: pageOf(search.page),
});
