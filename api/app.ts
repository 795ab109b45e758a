import type Router from '@koa/router';
import Koa, { type Middleware } from 'koa';
import helmet from 'koa-helmet';
import { AGENT_EVENTS_ROUTE, CARRIER_EVENTS_PATH } from './carriers/http/routes';
import { Authentication } from './http/auth/api-key';
import { apiKeyOrSignature, UrlSigner } from './http/auth/signed-url';
import { routerOf, closestPath, unmatched } from './http/routing';
import type { ApiState } from './http/context';
import type { Endpoint } from './http/endpoint';
import {
  answerErrors,
  brokenAnswer,
  cors,
  closeWhileDraining,
  requestId,
  requestLog,
  requestMetrics,
  heldWhileHandled,
} from './http/middleware';
import { openApiDocument } from './http/openapi/document';
import { rateLimits, RequestSlots } from './http/limits';
import { healthRoutes } from './http/health';
import type { ApiDependencies } from './dependencies';
import { requestConcern } from './http/log';
import { LiveProgress, type LiveProgressOptions } from './campaigns/live/live-progress';
import { CONSOLE_FOLDER, consoleRoutes } from './console/route';
import { BodyBudget, type BodyLimits } from './http/input/body-budget';
import { confirmationRoutes } from './campaigns/mail-confirmation';
import { allEndpoints } from './endpoints';
import { docsRoutes } from './http/docs-route';

interface AppOptions {
  /** Routers that authenticate requests themselves, such as the one for carrier events. */
  moreRoutes?: Router<ApiState>[];
  /** While true, every response closes its connection. */
  isDraining?: () => boolean;
  /** Folder of the built console, if it isn't the default one. */
  consoleFolder?: string | undefined;
  /** How often campaign progress is read, and how many clients may watch it. */
  liveProgress?: Partial<LiveProgressOptions> | undefined;
  bodies?: Partial<BodyLimits>;
  /** How long a result of `/readyz` is reused. */
  readinessKeptMs?: number | undefined;
  /** Wraps the handling of every request when tracing is on. */
  traceRequest?: Middleware<ApiState> | undefined;
}

/** Most responses are data. If a browser renders one, it must load nothing and can't be framed. HTML pages set their own policies. */
const NO_RESOURCES = {
  useDefaults: false,
  directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
};

/** Builds the whole API except for `listen`. Opens and closes no connections. */
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
  app.use(helmet({ contentSecurityPolicy: NO_RESOURCES }));
  app.use(cors(deps.settings.corsOrigins));
  // An answered call sends about nine events, so a log line for each would drown out everything else.
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
  // Errors raised before the response starts are handled above. Only errors while it is being sent get here.
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
    confirmationRoutes(deps),
    consoleRoutes(deps.settings, consoleFolder),
    routerOf(endpoints, gates),
  ];
}
