import type Router from '@koa/router';
import Koa from 'koa';
import helmet from 'koa-helmet';
import { apiKey } from './auth/api-key';
import { apiKeyOrSignature } from './auth/signed-query';
import type { ApiDependencies } from './dependencies';
import { methodNotAllowed, notFound } from './errors/refusals';
import { answerErrors } from './middleware/answer-errors';
import { closeWhileDraining } from './middleware/draining';
import { requestId } from './middleware/request-id';
import { requestLog } from './middleware/request-log';
import type { ApiState } from './pipeline';
import { agentRoutes } from './routes/agents';
import { callRoutes } from './routes/calls';
import { campaignRoutes } from './routes/campaigns';
import { createAgentRoute } from './routes/create-agent';
import { createCampaignRoute } from './routes/create-campaign';
import { healthRoutes } from './routes/health';
import type { RouteTools } from './routes/route-tools';
import { transcriptRoute } from './routes/transcript';
import { triggerCallRoute } from './routes/trigger-call';
import { webhookDeliveryRoutes } from './routes/webhook-deliveries';
import { UrlSigner } from './signed-url';

export interface AppOptions {
  /** Routers with an authentication of their own, such as the carrier's events. */
  moreRoutes?: Router<ApiState>[];
  /** While true, every answer ends its connection. */
  isDraining?: () => boolean;
}

/** The whole API but for `listen`. Opens nothing and closes nothing. */
export function createApp(
  deps: ApiDependencies,
  { moreRoutes = [], isDraining = () => false }: AppOptions = {},
): Koa<ApiState> {
  const app = new Koa<ApiState>();
  app.use(requestId);
  app.use(closeWhileDraining(isDraining));
  app.use(helmet());
  app.use(requestLog(deps.log));
  app.use(answerErrors(deps));
  const routers = [...moreRoutes, ...routersOf(deps)];
  for (const router of routers) app.use(router.routes());
  app.use(({ path, method }) => {
    const isPathKnown = routers.some((router) => router.match(path, method).path.length > 0);
    throw isPathKnown ? methodNotAllowed() : notFound();
  });
  // Only faults of a connection come here, such as a client that went away in mid-answer; the rest was answered above.
  app.on('error', (error: Error) => deps.log.debug({ name: error.name }, 'answer was not taken'));
  return app;
}

function routersOf(deps: ApiDependencies): Router<ApiState>[] {
  const { publicUrl, secretsKey } = deps.settings;
  const signer = new UrlSigner({ secretsKey, publicUrl, clock: deps.clock });
  const authenticate = apiKey(deps);
  const tools: RouteTools = {
    deps,
    signer,
    authenticate,
    authenticateReader: apiKeyOrSignature(authenticate, signer),
  };
  return [
    healthRoutes(deps),
    agentRoutes(tools),
    createAgentRoute(tools),
    // Before the routes with an id, which `create` would be taken for.
    createCampaignRoute(tools),
    campaignRoutes(tools),
    triggerCallRoute(tools),
    callRoutes(tools),
    transcriptRoute(tools),
    webhookDeliveryRoutes(tools),
  ];
}
