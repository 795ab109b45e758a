import type Router from '@koa/router';
import Koa, { type Middleware } from 'koa';
import helmet from 'koa-helmet';
import { AGENT_EVENTS_ROUTE, CARRIER_EVENTS_PATH } from './carriers/http/path';
import { Authentication } from './http/auth/api-key';
import { apiKeyOrSignature } from './http/auth/signed-query';
import type { ApiDependencies } from './dependencies';
import { routerOf, type ApiState, type Endpoint } from './http/endpoint';
import { requestConcern } from './http/log';
import { answerErrors } from './http/middleware/answer-errors';
import { brokenAnswer } from './http/middleware/broken-answer';
import { cors } from './http/middleware/cors';
import { closeWhileDraining } from './http/middleware/draining';
import { requestId } from './http/middleware/request-id';
import { requestLog } from './http/middleware/request-log';
import { requestMetrics } from './http/middleware/request-metrics';
import { closestPath, unmatched } from './http/middleware/unmatched';
import { openApiDocument } from './http/openapi/document';
import { LiveProgress, type LiveProgressOptions } from './campaigns/live/live-progress';
import { CONSOLE_FOLDER } from './console/folder';
import { BodyBudget, type BodyLimits } from './http/input/body-budget';
import { heldWhileHandled } from './http/input/within-budget';
import { consoleRoutes } from './console/route';
import { confirmationRoutes } from './mail/confirmation-route';
import { playgroundRoutes } from './playground/route';
import { rateLimits, RequestSlots } from './http/limits';
import { allEndpoints } from './endpoints';
import { docsRoutes } from './http/docs-route';
import { healthRoutes } from './http/health-route';
import { UrlSigner } from './http/signed-url';

export interface AppOptions {
  /** Routers with an authentication of their own, such as the carrier's events. */
  moreRoutes?: Router<ApiState>[];
  /** While true, every answer ends its connection. */
  isDraining?: () => boolean;
  /** What the console was built into, unless it is where its build puts it. */
  consoleFolder?: string | undefined;
  /** How often progress is read, and how many may watch. */
  liveProgress?: Partial<LiveProgressOptions> | undefined;
  /** How fast bodies must arrive. */
  bodies?: Partial<BodyLimits>;
  /** For how long a look at Postgres and Temporal answers `/readyz`. */
  readinessKeptMs?: number | undefined;
  /** Around the handling of every request, where requests are traced. */
  traceRequest?: Middleware<ApiState> | undefined;
}

/** An answer is data: whatever a browser takes it for, it loads nothing and stands in no frame. The pages for people have policies of their own. */
const NOTHING_LOADS = {
  useDefaults: false,
  directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
};

/** The whole API but for `listen`. Opens nothing and closes nothing. */
export function createApp(
  deps: ApiDependencies,
  {
    moreRoutes = [],
    isDraining = () => false,
    consoleFolder = CONSOLE_FOLDER,
    liveProgress = {},
    bodies = {},
    readinessKeptMs = 0,
    traceRequest,
  }: AppOptions = {},
): Koa<ApiState> {
  const app = new Koa<ApiState>();
  app.use(requestId);
  app.use(requestConcern);
  if (traceRequest !== undefined) app.use(traceRequest);
  app.use(closeWhileDraining(isDraining));
  app.use(helmet({ contentSecurityPolicy: NOTHING_LOADS }));
  app.use(cors(deps.settings.corsOrigins));
  // An answered call sends about nine events: a line for each would drown everything else.
  app.use(requestLog(deps.log, { quietRoutes: [CARRIER_EVENTS_PATH, AGENT_EVENTS_ROUTE] }));
  app.use(requestMetrics(deps.metrics));
  app.use(answerErrors(deps));
  app.use(
    heldWhileHandled(
      new BodyBudget({ bufferedBytes: deps.settings.bodyBufferBytes, ...bodies }, deps.settings),
    ),
  );
  const signer = new UrlSigner({ ...deps.settings, clock: deps.clock });
  const live = new LiveProgress({ ...deps, ...liveProgress, isDraining });
  const endpoints = allEndpoints({ deps, signer, live });
  const routers = [...moreRoutes, ...routersOf(deps, { endpoints, signer, consoleFolder, readinessKeptMs })];
  app.use(closestPath(endpoints));
  for (const router of routers) app.use(router.routes());
  app.use(unmatched(routers));
  // Only what goes wrong once an answer is on its way comes here; the rest was answered above.
  app.on('error', brokenAnswer(deps.log));
  return app;
}

function routersOf(
  deps: ApiDependencies,
  {
    endpoints,
    signer,
    consoleFolder,
    readinessKeptMs,
  }: {
    endpoints: readonly Endpoint[];
    signer: UrlSigner;
    consoleFolder: string;
    readinessKeptMs: number;
  },
): Router<ApiState>[] {
  const { publicUrl, rateLimits: limits } = deps.settings;
  const authentication = new Authentication(deps);
  const gates = {
    authentication,
    authenticateReader: apiKeyOrSignature(authentication.authenticate, signer),
    rateLimits: rateLimits({ db: deps.db, settings: limits }),
    requestSlots: new RequestSlots(),
  };
  return [
    healthRoutes(deps, readinessKeptMs),
    docsRoutes(() => openApiDocument(endpoints, { publicUrl })),
    playgroundRoutes(deps.settings),
    confirmationRoutes(deps),
    consoleRoutes(deps.settings, consoleFolder),
    routerOf(endpoints, gates),
  ];
}
