import type { Command } from 'commander';
import { listAudit, type AuditRecord } from '../../../db/organizations/audit';
import { label, moment, momentBehind, wholeNumber, type Moment } from '../option-values';
import { requireOrganization } from '../session';
import { table } from '../table';
import { noun, runs, verb, type Admin } from '../verb';

const LIMIT = 50;

interface AuditOptions {
  org?: string;
  subject?: string;
  since?: Moment;
  limit?: number;
}

export function auditCommands(program: Command, admin: Admin): void {
  const audit = noun(program, 'audit', 'log of changes');
  const command = verb(audit, 'list', 'list changes, newest first', [
    'list --org Acme --since 24h',
    'list --subject 0d1f7c1e-6a57-4c52-8f0b-3d1c7e0f9a11',
  ])
    .option('--org <org>', 'id or name; default: all organizations')
    .option('--subject <id>', 'changes of one agent, campaign, key, secret or organization', label)
    .option(
      '--since <when>',
      'changes at or after this time: a date, a timestamp, or a duration ago such as 24h',
      moment,
    )
    .option('--limit <n>', `maximum number to show; default ${LIMIT}`, wholeNumber(1, 10_000));
  runs<AuditOptions>(command, admin, async ({ db, clock, terminal: { isStyled } }, options) => {
    const organization = options.org === undefined ? null : await requireOrganization(db, options.org);
    const since = options.since === undefined ? null : momentBehind(options.since, clock.now());
    const filter = { organizationId: organization?.id ?? null, subjectId: options.subject ?? null, since };
    const records = await listAudit(db, filter, options.limit ?? LIMIT);
    const head = ['at', 'who', 'action', 'subject', 'fields', 'organization', 'address', 'request'];
    const body = records.map((record) => [
      record.at,
      actorOf(record),
      record.action,
      record.subjectId,
      record.fields.join(' ') || null,
      record.organizationName ?? record.organizationId,
      record.address,
      record.requestId,
    ]);
    const text = table(head, body, { empty: 'There are no changes.', isStyled });
    return { text, json: records.map(recordJson) };
  });
}

const actorOf = ({ actorKind, actorId, actorName }: AuditRecord): string =>
  actorName === null ? `${actorKind} ${actorId}` : `${actorKind} ${actorId} (${actorName})`;

const recordJson = (record: AuditRecord): object => ({
  at: record.at,
  actor: { kind: record.actorKind, id: record.actorId, name: record.actorName },
  address: record.address,
  request_id: record.requestId,
  action: record.action,
  subject_id: record.subjectId,
  fields: record.fields,
  organization_id: record.organizationId,
});
