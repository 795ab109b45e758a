import {
  ACTOR_KINDS,
  AUDIT_ACTIONS,
  auditPage,
  type OrganizationAuditRecord,
} from '../../db/organizations/audit';
import type { RouteTools } from '../dependencies';
import { answers, byKey, endpoint, type Endpoint } from '../http/endpoint';
import { instant, pageOf, paging, uuid } from '../http/input/fields';
import { iso, presentPagination, pagination } from '../http/responses';
import { nonEmptyText, oneOf, text, timestamp } from '../http/schema/kinds';
import { about, list, nullable, object, optional, type ValueOf } from '../http/schema/field';

const AUDIT_QUERY = object({
  ...paging({ default: 50, max: 200 }),
  actor_kind: about(
    optional(oneOf(...ACTOR_KINDS)),
    'Type of actor: an API key, an operator of the service, an agent, or a visitor whose sign-in failed',
  ),
  actor_id: about(optional(uuid()), 'Id of the API key or agent'),
  action: optional(oneOf(...AUDIT_ACTIONS)),
  subject_id: about(optional(nonEmptyText(128)), 'Id of the changed object'),
  from: about(optional(instant()), 'Changes at or after this date or timestamp, in UTC'),
  to: about(optional(instant()), 'Changes before this date or timestamp, in UTC'),
});

const auditEntry = object(
  {
    at: timestamp(),
    actor: object({
      kind: oneOf(...ACTOR_KINDS),
      id: about(nullable(text()), 'Id of the API key or agent. Null for operators and visitors'),
      name: about(nullable(text()), 'Name of the API key'),
    }),
    action: oneOf(...AUDIT_ACTIONS),
    subject_id: about(
      text(),
      'Id of the changed object. For a setting of the organization as a whole, the id of the organization',
    ),
    subject_name: about(nullable(text()), 'Name of the agent, campaign or API key, if it still exists'),
    fields: about(list(text()), 'Names of the fields that were changed, never their values'),
    address: about(nullable(text()), 'Client address of the request. Null for operators and agents'),
    request_id: about(nullable(text()), 'X-Request-Id of the request'),
  },
  { name: 'AuditEntry' },
);

export const auditEndpoints = ({ deps: { db } }: RouteTools): Endpoint[] => [
  endpoint({
    method: 'get',
    path: '/api/audit',
    tag: 'Account',
    summary: 'List the audit log, newest first',
    description: 'Counts at most 10,000 entries.',
    access: byKey,
    scope: 'configure',
    input: { query: AUDIT_QUERY },
    answer: answers(
      'A page of audit entries',
      object({ data: list(auditEntry), pagination }, { name: 'AuditPage' }),
    ),
    handle: ({ query }, organization) => {
      const { actor_kind: actorKind, actor_id: actorId, subject_id: subjectId, action, from, to } = query;
      const filter = { organizationId: organization.id, actorKind, actorId, action, subjectId, from, to };
      return auditPage(db, filter, pageOf(query));
    },
    present: ({ items, total }, { input: { query } }) => ({
      data: items.map(presentEntry),
      pagination: presentPagination(query, total),
    }),
  }),
];

/** Hides the id of an operator, which is a user name on the operator's machine. */
const presentEntry = (entry: OrganizationAuditRecord): ValueOf<typeof auditEntry> => ({
  at: iso(entry.at),
  actor: {
    kind: entry.actorKind,
    id: ['operator', 'visitor'].includes(entry.actorKind) ? null : entry.actorId,
    name: entry.actorName,
  },
  action: entry.action,
  subject_id: entry.subjectId,
  subject_name: entry.subjectName,
  fields: entry.fields,
  address: entry.address,
  request_id: entry.requestId,
});
