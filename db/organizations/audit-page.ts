/** The audit log as an organization sees it. */
import type { Db } from '../kernel/connection';
import { countOf, ofOrganization } from '../kernel/conditions';
import { listed, sortedBy, type Listed, type Page } from '../kernel/list-page';
import { rows } from '../kernel/query';
import { AUDIT_FIELDS, type Actor, type AuditAction, type AuditRecord } from './audit';

export interface OrganizationAuditFilter {
  organizationId: string;
  actorKind?: Actor['kind'];
  actorId?: string;
  action?: AuditAction;
  subjectId?: string;
  /** ISO 8601 instant, inclusive; `to` is exclusive. */
  from?: string;
  to?: string;
}

export interface OrganizationAuditRecord extends AuditRecord {
  /** Name of the agent, campaign or key; null if it is gone or the subject is something else. */
  subjectName: string | null;
}

/** Returns entries, newest first. Counts up to `MOST_COUNTED` even without a filter, because every dispatched call has an entry. */
export async function auditPage(
  db: Db,
  { organizationId, ...filter }: OrganizationAuditFilter,
  page: Page,
): Promise<Listed<OrganizationAuditRecord>> {
  const { where, bindings } = ofOrganization(organizationId, {
    'actor_kind = :actorKind': filter.actorKind,
    'actor_id = :actorId': filter.actorId,
    'action = :action': filter.action,
    'subject_id = :subjectId': filter.subjectId,
    'at >= :from': filter.from,
    'at < :to': filter.to,
  });
  return listed(
    page,
    countOf(db, 'audit_log', { where, bindings }, 'at desc, id desc'),
    ({ limit, offset }) =>
      rows<OrganizationAuditRecord>(
        db,
        `select ${AUDIT_FIELDS}, ${SUBJECT_NAME}
       from (select * from audit_log where ${where} ${sortedBy('desc', 'at', 'id')}) a
       join organizations c on c.id = a.organization_id
       order by a.at desc, a.id desc`,
        { ...bindings, limit, offset },
      ),
  );
}

/** Looks up names only for the rows of a page. A subject that isn't a UUID has no name. */
const SUBJECT_NAME = `case when a.subject_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then case
    when a.action like 'agent.%' then (select display_name from agents s where s.organization_id = a.organization_id and s.id = a.subject_id::uuid)
    when a.action like 'campaign.%' then (select campaign_name from campaigns s where s.organization_id = a.organization_id and s.id = a.subject_id::uuid)
    when a.action like any (array['key.%', 'console.%', 'session.%']) then (select coalesce(label, prefix) from api_keys s where s.organization_id = a.organization_id and s.id = a.subject_id::uuid)
  end end as "subjectName"`;
