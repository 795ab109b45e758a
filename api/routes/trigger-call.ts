import Router from '@koa/router';
import { captionsUrl } from '../captions-url';
import { readDispatch } from '../dispatch/dispatch-body';
import { dispatchCall } from '../dispatch/dispatch-call';
import { jsonBody } from '../input/json-body';
import { endpoint, type ApiState } from '../pipeline';
import type { RouteTools } from './route-tools';

export function triggerCallRoute({ deps, authenticate }: RouteTools): Router<ApiState> {
  const { settings } = deps;
  const router = new Router<ApiState>();
  router.post(
    '/api/trigger-call',
    endpoint({
      errors: 'dispatch',
      authenticate,
      validate: async (ctx) =>
        readDispatch(await jsonBody(ctx, { checkedApart: ['modify_agent'] }), {
          xAgentId: ctx.get('X-Agent-Id'),
          phoneRules: { allowedCountries: settings.allowedCountries },
        }),
      handle: (request, client) => dispatchCall(deps, request, client),
      present: ({ callId, agentName }) => ({
        success: true,
        message: 'Call dispatched',
        output: {
          agent_name: agentName,
          call_id: callId,
          live_captions_url: captionsUrl(settings, callId),
        },
        error: null,
      }),
    }),
  );
  return router;
}
