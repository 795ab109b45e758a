import { callPage, findCall } from '../../db/calls/history';
import { figuresOf } from '../../db/calls/reports';
import { answers, answersInPieces, byKey, endpoint, type Endpoint } from '../http/endpoint';
import { callNotFound, invalidInput } from '../http/errors/refusals';
import { instant, pageOf, paging, uuid } from '../http/input/fields';
import { callIdParam, knownCallId } from '../http/input/path';
import { presentCall } from './present';
import { presentCallDetails } from './present-details';
import { pageStream } from '../http/presenters/json-stream';
import { pagination } from '../http/presenters/pagination';
import { hangUp } from './dispatch/hang-up';
import { call, callDetails, hungUp } from './resource';
import { pagination as paginationSchema } from '../http/resources/pagination';
import { about, list, object, optional } from '../http/schema/field';
import { nonEmptyText, textUpTo } from '../http/schema/kinds';
import type { RouteTools } from '../dependencies/route-tools';

const HISTORY_QUERY = object({
  ...paging({ default: 50, most: 200 }),
  agent_id: about(optional(uuid()), 'Calls of this agent'),
  campaign_id: about(optional(uuid()), 'Calls of this campaign'),
  call_id: about(optional(nonEmptyText(128)), 'The call with this id'),
  status: about(optional(nonEmptyText(64)), 'Calls with this call_status', 'completed'),
  from: about(optional(instant()), 'Calls accepted at or after this date or timestamp, in UTC'),
  to: about(optional(instant()), 'Calls accepted before this date or timestamp, in UTC'),
  search: about(
    optional(textUpTo(255)),
    'Processed calls whose transcript contains all these words, whole, in any order and case',
    'refund',
  ),
});

export const callEndpoints = (tools: RouteTools): Endpoint[] => [
  history(tools),
  detailsOfNone,
  details(tools),
  hangingUp(tools),
];

const history = ({ deps: { db }, signer }: RouteTools) =>
  endpoint({
    method: 'get',
    path: '/api/call-history',
    tag: 'Calls',
    summary: 'List the calls of the organization, newest first',
    access: byKey,
    scope: 'read',
    input: { query: HISTORY_QUERY },
    answer: answersInPieces(
      'A page of calls',
      object({ data: list(call), pagination: paginationSchema }, { name: 'CallPage' }),
    ),
    handle: ({ query }, organization) => {
      const { agent_id: agentId, campaign_id: campaignId, call_id: callId, status, from, to, search } = query;
      const narrowed = { agentId, campaignId, callId, status, from, to };
      return callPage(
        db,
        { organizationId: organization.id, ...narrowed, ...(search && { search }) },
        pageOf(query),
      );
    },
    present: ({ batches, total }, { input: { query } }) =>
      pageStream(batches, (each) => presentCall(each, signer), pagination(query, total)),
  });

/** Without an id, the client forgot it. So this is a 422, not an unknown path. */
const detailsOfNone = endpoint({
  method: 'get',
  path: '/api/call_details/',
  hidden: true,
  tag: 'Calls',
  summary: 'Always fails, because the id is missing',
  access: byKey,
  scope: 'read',
  input: {},
  answer: answers('Never', callDetails),
  handle: () => {
    throw invalidInput([{ loc: ['path', 'call_id'], msg: 'is required', type: 'any.required' }]);
  },
  present: (never: never) => never,
});

const details = ({ deps: { db } }: RouteTools) =>
  endpoint({
    method: 'get',
    path: '/api/call_details/:call_id',
    tag: 'Calls',
    summary: 'Get the transcript and analysis of a call',
    access: byKey,
    scope: 'read',
    input: { params: callIdParam },
    answer: answers('The details. Fixed texts until the call is post-processed', callDetails),
    refusals: [callNotFound()],
    handle: async ({ params: { call_id } }, organization) => {
      const call = await findCall(db, knownCallId(call_id), organization.id);
      if (call === undefined) throw callNotFound();
      return { call, figures: await figuresOf(db, call.callId) };
    },
    present: ({ call, figures }) => presentCallDetails(call, figures),
  });

const hangingUp = ({ deps }: RouteTools) =>
  endpoint({
    method: 'post',
    path: '/api/calls/:call_id/hangup',
    tag: 'Calls',
    summary: 'End a call',
    description:
      'A call that is not dialled yet is cancelled. A live call ends within seconds. A call that is over stays unchanged. A campaign does not redial the contact.',
    access: byKey,
    scope: 'operate',
    input: { params: callIdParam },
    answer: answers('Current status of the call', hungUp),
    refusals: [callNotFound()],
    handle: ({ params }, organization) =>
      hangUp(deps, {
        callId: knownCallId(params.call_id),
        organizationId: organization.id,
        actor: organization.actor,
      }),
    present: ({ callId, callStatus }) => ({ success: true, call_id: callId, call_status: callStatus }),
  });
