/** Who changed what. Every function that changes something on a person's behalf records it in its own transaction. */
import type { Db } from '../kernel/connection';
import { rows, timestamp } from '../kernel/query';

export const ACTOR_KINDS = ['api_key', 'operator', 'agent', 'visitor'] as const;

/** noun.verb */
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
  'campaign.cancel',
  'campaign.create',
  'campaign.pause',
  'campaign.pause_all',
  'campaign.resume',
  'campaign.resume_all',
  'campaign.update',
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
  /** The id of the key or the agent, or the name of the person at the command line. */
  id: string;
  /** Of the request, as the answer's X-Request-Id and the log name it; null at the command line and of an agent. */
  requestId: string | null;
  /** The client address of the request; none at the command line and for an agent. */
  address?: string;
}

export interface AuditEntry {
  /** Null for what belongs to no client. */
  clientId: string | null;
  actor: Actor;
  action: AuditAction;
  subjectId: string;
  /** Names of the changed fields, never values: these may be personal. Of a transfer: its masked destination, and why it was refused. */
  fields?: string[];
  now: number;
}

/** `trx` is the transaction that makes the change: both happen or neither. */
export async function recordAudit(trx: Db, entry: AuditEntry): Promise<void> {
  await trx('audit_log').insert({
    at: timestamp(entry.now),
    client_id: entry.clientId,
    actor_kind: entry.actor.kind,
    actor_id: entry.actor.id,
    address: entry.actor.address ?? null,
    request_id: entry.actor.requestId,
    action: entry.action,
    subject_id: entry.subjectId,
    fields: entry.fields ?? [],
  });
}

/** Of a subject that was taken back before the client got its id. */
export async function forgetAudit(trx: Db, subjectId: string): Promise<void> {
  await trx('audit_log').where({ subject_id: subjectId }).delete();
}

export interface AuditRecord {
  at: Date;
  clientId: string | null;
  /** Null for what belongs to no client. */
  clientName: string | null;
  actorKind: Actor['kind'];
  actorId: string;
  /** What a key is called; null for others, and for one that is gone. */
  actorName: string | null;
  address: string | null;
  requestId: string | null;
  action: AuditAction;
  subjectId: string;
  fields: string[];
}

/** A filter that is null narrows nothing. */
export interface AuditFilter {
  clientId: string | null;
  subjectId: string | null;
  /** The first instant to show. */
  since: number | null;
}

export const AUDIT_FIELDS = `a.at, a.client_id as "clientId", c.name as "clientName", a.actor_kind as "actorKind",
  a.actor_id as "actorId", (select coalesce(k.label, k.prefix) from api_keys k
    where a.actor_kind = 'api_key' and k.client_id = a.client_id and k.id::text = a.actor_id) as "actorName", a.address,
  a.request_id as "requestId", a.action, a.subject_id as "subjectId", a.fields`;

/** The newest first. */
export function listAudit(db: Db, filter: AuditFilter, limit: number): Promise<AuditRecord[]> {
  const { clientId, subjectId, since } = filter;
  return rows<AuditRecord>(
    db,
    `select ${AUDIT_FIELDS} from audit_log a left join clients c on c.id = a.client_id
     where (:clientId::uuid is null or a.client_id = :clientId::uuid)
       and (:subjectId::text is null or a.subject_id = :subjectId::text)
       and (:since::timestamptz is null or a.at >= :since::timestamptz)
     order by a.at desc, a.id desc limit :limit`,
    { clientId, subjectId, since: since === null ? null : timestamp(since), limit },
  );
}
