/** The audit log. Every change that a person makes is recorded in the same transaction. */
import type { Db } from '../kernel/connection';
import { rows, timestamp } from '../kernel/query';
import { countOf, ofOrganization } from '../kernel/conditions';
import { listed, sortedBy, type Listed, type Page } from '../kernel/list-page';

export const ACTOR_KINDS = ['api_key', 'operator', 'agent', 'visitor'] as const;

/** Actions have the form noun.verb. */
export const AUDIT_ACTIONS = [
  'agent.archive',
  'agent.conversations',
  'agent.create',
  'agent.restore',
  'agent.update',
  'call.dispatch',
  'call.hangup',
  'call.listen',
  'call.transfer',
  'call.transfer_refused',
  'campaign.append',
  'campaign.cancel',
  'campaign.create',
  'campaign.pause',
  'campaign.pause_all',
  'campaign.resume',
  'campaign.resume_all',
  'campaign.update',
  'contact.remove',
  'contact.update',
  'contact_list.create',
  'contact_list.delete',
  'contact_list.import',
  'console.link',
  'console.sign_in',
  'console.sign_in_failed',
  'delivery.redeliver',
  'dnd.add',
  'dnd.clear',
  'dnd.import',
  'dnd.remove',
  'key.create',
  'key.expire',
  'key.revoke',
  'mail.confirm',
  'mail.remove',
  'number.add',
  'number.import',
  'number.remove',
  'org.create',
  'org.update',
  'person.erase',
  'rule_profile.create',
  'rule_profile.delete',
  'rule_profile.update',
  'secret.create',
  'secret.revoke',
  'secret.rotate',
  'secrets.re-encrypt',
  'session.end',
  'storage.move',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export interface Actor {
  kind: (typeof ACTOR_KINDS)[number];
  /** Id of the key or agent. For a command, the name of the person who ran it. */
  id: string;
  /** X-Request-Id of the request, which is also in the log. Null for commands and agents. */
  requestId: string | null;
  /** IP address of the request; absent for commands and agents. */
  address?: string;
}

export interface AuditEntry {
  /** Null if the subject belongs to no organization. */
  organizationId: string | null;
  actor: Actor;
  action: AuditAction;
  subjectId: string;
  /**
   * Names of the changed fields. Their values are left out, because they can be personal. For a transfer: the masked destination and why it
   * was rejected, if it was.
   */
  fields?: string[];
  now: number;
}

/** `trx` must be the transaction that makes the change. */
export async function recordAudit(trx: Db, entry: AuditEntry): Promise<void> {
  await trx('audit_log').insert({
    at: timestamp(entry.now),
    organization_id: entry.organizationId,
    actor_kind: entry.actor.kind,
    actor_id: entry.actor.id,
    address: entry.actor.address ?? null,
    request_id: entry.actor.requestId,
    action: entry.action,
    subject_id: entry.subjectId,
    fields: entry.fields ?? [],
  });
}

/** Deletes the audit entries of a subject that was withdrawn before the API client got its id. */
export async function forgetAudit(trx: Db, subjectId: string): Promise<void> {
  await trx('audit_log').where({ subject_id: subjectId }).delete();
}

export interface AuditRecord {
  at: Date;
  organizationId: string | null;
  /** Null if the subject belongs to no organization. */
  organizationName: string | null;
  actorKind: Actor['kind'];
  actorId: string;
  /** Label or prefix of the key. Null for other actors and deleted keys. */
  actorName: string | null;
  address: string | null;
  requestId: string | null;
  action: AuditAction;
  subjectId: string;
  fields: string[];
}

/** A null field selects everything. */
interface AuditFilter {
  organizationId: string | null;
  subjectId: string | null;
  /** Milliseconds since the epoch, inclusive. */
  since: number | null;
}

const AUDIT_FIELDS = `a.at, a.organization_id as "organizationId", c.name as "organizationName", a.actor_kind as "actorKind",
  a.actor_id as "actorId", (select coalesce(k.label, k.prefix) from api_keys k
    where a.actor_kind = 'api_key' and k.organization_id = a.organization_id and k.id::text = a.actor_id) as "actorName", a.address,
  a.request_id as "requestId", a.action, a.subject_id as "subjectId", a.fields`;

/** Returns entries, newest first. */
export function listAudit(db: Db, filter: AuditFilter, limit: number): Promise<AuditRecord[]> {
  const { organizationId, subjectId, since } = filter;
  return rows<AuditRecord>(
    db,
    `select ${AUDIT_FIELDS} from audit_log a left join organizations c on c.id = a.organization_id
     where (:organizationId::uuid is null or a.organization_id = :organizationId::uuid)
       and (:subjectId::text is null or a.subject_id = :subjectId::text)
       and (:since::timestamptz is null or a.at >= :since::timestamptz)
     order by a.at desc, a.id desc limit :limit`,
    { organizationId, subjectId, since: since === null ? null : timestamp(since), limit },
  );
}

export interface OrganizationAuditFilter {
  organizationId: string;
  actorKind?: Actor['kind'];
  actorId?: string;
  action?: AuditAction;
  subjectId?: string;
  /** ISO 8601 instant, inclusive. `to` is exclusive. */
  from?: string;
  to?: string;
}

export interface OrganizationAuditRecord extends AuditRecord {
  /** Name of the agent, campaign or key. Null if it is gone or the subject is something else. */
  subjectName: string | null;
}

/** Returns entries, newest first. Counts up to `MAX_COUNTED` even without a filter, because every dispatched call has an entry. */
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
    when a.action like any (array['contact.%', 'contact_list.%']) then (select name from contact_lists s where s.organization_id = a.organization_id and s.id = a.subject_id::uuid)
    when a.action like any (array['key.%', 'console.%', 'session.%']) then (select coalesce(label, prefix) from api_keys s where s.organization_id = a.organization_id and s.id = a.subject_id::uuid)
  end end as "subjectName"`;
