import Joi from 'joi';
import { captionsUrl } from './captions-url';
import type { ApiDependencies } from '../dependencies';
import { dispatchBody } from './dispatch/dispatch-body';
import { dispatchCall, findDispatched, newDispatchId, type Dispatched } from './dispatch/dispatch-call';
import { assertScope } from '../http/auth/api-key';
import { answers, byKey, endpoint, type Endpoint } from '../http/endpoint';
import {
  agentNotFound,
  idempotencyInProgress,
  idempotencyKeyReused,
  insufficientScope,
  numberNotYours,
  outboundNumberNotAllowed,
  realtimeNotConfigured,
  spendLimitReached,
} from '../http/errors/refusals';
import { idempotencyKey, idempotent, presentIdempotent } from '../http/idempotency';
import {
  browserSession,
  dispatched,
  type BrowserSessionBody,
  type DispatchedBody,
} from './dispatch/resource';
import { about, either, object, optional, typed } from '../http/schema/field';
import type { RouteTools } from '../dependencies/route-tools';

const HEADERS = object({
  'X-Agent-Id': about(
    optional(typed<string>(Joi.string().allow('').max(255))),
    "Forwarded to a custom-LLM socket server; not the agent's id",
  ),
  'Idempotency-Key': idempotencyKey,
});

export const triggerCallEndpoints = ({ deps }: RouteTools): Endpoint[] => [
  endpoint({
    method: 'post',
    path: '/api/trigger-call/',
    tag: 'Calls',
    summary: 'Call a contact, or open a browser session',
    description:
      'Either is accepted at once and waits durably for a free line; the agent of a browser session comes to its room then. Fields of the other medium are ignored.',
    access: byKey,
    scope: 'operate',
    rate: 'dispatch',
    errors: 'dispatch',
    input: { headers: HEADERS, body: dispatchBody(deps.settings) },
    answer: answers('The call was accepted, or the room may be joined', either(dispatched, browserSession)),
    refusals: [
      insufficientScope('configure'),
      agentNotFound(),
      outboundNumberNotAllowed(),
      numberNotYours(),
      realtimeNotConfigured(),
      spendLimitReached(),
      idempotencyInProgress(),
      idempotencyKeyReused(),
    ],
    handle: ({ headers, body }, client) => {
      // With another address in it, the agent would send the secrets of its configuration there.
      if (body.modifyAgent !== null) assertScope(client, 'configure');
      const xAgentId = headers['X-Agent-Id'] ?? '';
      const dispatch = { ...body, xAgentId: xAgentId === '' ? null : xAgentId };
      return idempotent(deps, {
        client,
        key: headers['Idempotency-Key'] ?? null,
        operation: 'dispatch',
        input: dispatch,
        newId: () => newDispatchId(dispatch, deps.clock.now()),
        run: (id) => dispatchCall(deps, dispatch, client, id),
        recover: (id) => findDispatched(deps, client, id),
        present: (result) => presentDispatched(result, deps),
      });
    },
    present: (answer, { ctx }) => presentIdempotent(answer, ctx),
  }),
];

function presentDispatched(
  result: Dispatched,
  { settings, clock }: Pick<ApiDependencies, 'settings' | 'clock'>,
): DispatchedBody | BrowserSessionBody {
  if (result.medium === 'webrtc') {
    return {
      token: result.token,
      room_name: result.roomName,
      agent_name: result.agentName,
      connection_url: result.connectionUrl,
      live_captions_url: captionsUrl(settings, result.roomName, clock.now()),
    };
  }
  return {
    success: true,
    message: 'Call dispatched',
    output: {
      agent_name: result.agentName,
      call_id: result.callId,
      live_captions_url: captionsUrl(settings, result.callId, clock.now()),
    },
    error: null,
  };
}
