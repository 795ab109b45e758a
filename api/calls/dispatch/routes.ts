import Joi from 'joi';
import type { RouteTools } from '../../dependencies';
import { assertScope } from '../../http/auth/api-key';
import { answers, byKey, endpoint } from '../../http/endpoint';
import { idempotencyKey, idempotent, presentIdempotent } from '../../http/idempotency';
import {
  agentNotFound,
  idempotencyInProgress,
  idempotencyKeyReused,
  insufficientScope,
  numberNotYours,
  outboundNumberNotAllowed,
  realtimeNotConfigured,
  spendLimitReached,
} from '../../http/errors/refusals';
import { about, either, object, optional, typed } from '../../http/schema/field';
import { dispatchCall, findDispatched, newDispatchId } from './dispatch-call';
import { browserSession, dispatched, presentDispatched } from './present';
import { dispatchBody } from './schema';

const HEADERS = object({
  'X-Agent-Id': about(
    optional(typed<string>(Joi.string().allow('').max(255))),
    "Forwarded to a custom-LLM server. This is not the agent's id",
  ),
  'Idempotency-Key': idempotencyKey,
});

export const dispatching = ({ deps }: RouteTools) =>
  endpoint({
    method: 'post',
    path: '/api/trigger-call/',
    tag: 'Calls',
    summary: 'Dispatch a phone call or open a browser session',
    description:
      'The call is accepted immediately and waits for a free line, also across restarts. In a browser session the agent joins once there is a line. Fields of the other medium are ignored.',
    access: byKey,
    scope: 'operate',
    rate: 'dispatch',
    errors: 'dispatch',
    input: { headers: HEADERS, body: dispatchBody(deps.settings) },
    answer: answers(
      'The accepted call, or the credentials of the browser session',
      either(dispatched, browserSession),
    ),
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
    handle: ({ headers, body }, organization) => {
      // An override could redirect a URL, and the agent would then send its stored secrets there.
      if (body.modifyAgent !== null) assertScope(organization, 'configure');
      const xAgentId = headers['X-Agent-Id'] ?? '';
      const dispatch = { ...body, xAgentId: xAgentId === '' ? null : xAgentId };
      return idempotent(deps, {
        organization,
        key: headers['Idempotency-Key'] ?? null,
        operation: 'dispatch',
        input: dispatch,
        newId: () => newDispatchId(dispatch, deps.clock.now()),
        run: (id) => dispatchCall(deps, dispatch, organization, id),
        recover: (id) => findDispatched(deps, organization, id),
        present: (result) => presentDispatched(result, deps),
      });
    },
    present: (answer, { ctx }) => presentIdempotent(answer, ctx),
  });
