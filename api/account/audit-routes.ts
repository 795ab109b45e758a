import { ACTOR_KINDS, AUDIT_ACTIONS } from '../../db/clients/audit';
import { auditPage, type ClientAuditRecord } from '../../db/clients/audit-page';
import type { RouteTools } from '../dependencies/route-tools';
import { answers, byKey, endpoint, type Endpoint } from '../http/endpoint';
import { instant, pageOf, paging, uuid } from '../http/input/fields';
import { iso } from '../http/presenters/instant';
import { pagination } from '../http/presenters/pagination';
import { pagination as paginationSchema } from '../http/resources/pagination';
import { about, list, nullable, object, optional, type ValueOf } from '../http/schema/field';
import { nonEmptyText, oneOf, text, timestamp } from '../http/schema/kinds';

const AUDIT_QUERY = object({
  ...paging({ default: 50, most: 200 }),
  actor_kind: about(
    optional(oneOf(...ACTOR_KINDS)),
    'Of a key, of the operators of the service, of an agent, of a visitor whose sign-in failed',
  ),
  actor_id: about(optional(uuid()), 'Of this key or agent'),
  action: optional(oneOf(...AUDIT_ACTIONS)),
  subject_id: about(optional(nonEmptyText(128)), 'What was changed'),
  from: about(optional(instant()), 'At or after: a date or a timestamp, UTC'),
  to: about(optional(instant()), 'Before: a date or a timestamp, UTC'),
});

const auditEntry = object(
  {
    at: timestamp(),
    actor: object({
      kind: oneOf(...ACTOR_KINDS),
      id: about(nullable(text()), 'Of the key or the agent; null of an operator and of a visitor'),
      name: about(nullable(text()), 'Of the key'),
    }),
    action: oneOf(...AUDIT_ACTIONS),
    subject_id: about(
      text(),
      'Of what was changed; of what belongs to the organization as a whole, its own id',
    ),
    subject_name: about(nullable(text()), 'Of an agent, a campaign or a key that is still there'),
    fields: about(list(text()), 'Names of the fields that were changed, never their values'),
    address: about(
      nullable(text()),
      'The client address of the request; null of an operator and of an agent',
    ),
    request_id: about(nullable(text()), 'The X-Request-Id of the request'),
  },
  { name: 'AuditEntry' },
);

export const auditEndpoints = ({ deps: { db } }: RouteTools): Endpoint[] => [
  endpoint({
    method: 'get',
    path: '/api/audit',
    tag: 'Account',
    summary: 'List who changed what, the newest first',
    description: 'Counts at most 10,000.',
    access: byKey,
    scope: 'configure',
    input: { query: AUDIT_QUERY },
    answer: answers(
      'A page of changes',
      object({ data: list(auditEntry), pagination: paginationSchema }, { name: 'AuditPage' }),
    ),
    handle: ({ query }, client) => {
      const { actor_kind: actorKind, actor_id: actorId, subject_id: subjectId, action, from, to } = query;
      const filter = { clientId: client.id, actorKind, actorId, action, subjectId, from, to };
      return auditPage(db, filter, pageOf(query));
    },
    present: ({ items, total }, { input: { query } }) => ({
      data: items.map(presentEntry),
      pagination: pagination(query, total),
    }),
  }),
];

/** An operator's name is that of a user of the operator's own machine. */
const presentEntry = (entry: ClientAuditRecord): ValueOf<typeof auditEntry> => ({
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
