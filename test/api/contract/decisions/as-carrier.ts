import { ORDINARY_TYPES } from '../../../../domain/phone-number';
import Koa from 'koa';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import pino from 'pino';
import { agentGatewayRoutes } from '../../../../api/calls/agent-gateway/routes';
import { eventReceiver } from '../../../../api/carriers/http/receive-event';
import { carrierEventRoutes } from '../../../../api/carriers/http/routes';
import { BodyBudget } from '../../../../api/http/input/body-budget';
import { heldWhileHandled } from '../../../../api/http/middleware';
import { answerErrors, requestId } from '../../../../api/http/middleware';
import { onlyKey } from '../../../../db/kernel/secrets-keys';
import type { Answer, TestApi } from '../../support/test-api';

/** The key that encrypts and signs in these requests. */
export const KEYS = onlyKey(Buffer.alloc(32));

interface CarrierRequest {
  path: string;
  secret?: string;
  method?: string;
  json?: object;
  /** Body to send as a recording. */
  audio?: string;
}

/** Sends a request to the carrier routes, which aren't endpoints and have their own authentication. */
export async function askAsCarrier(
  { db, clock, storage }: TestApi,
  { path, secret = 'secret', method = 'GET', json, audio }: CarrierRequest,
): Promise<Answer> {
  const log = pino({ level: 'silent' });
  const app = new Koa();
  app.use(requestId as Koa.Middleware);
  app.use(answerErrors({ log, clock }) as Koa.Middleware);
  const bodies = new BodyBudget({ bufferedBytes: 2 ** 26 }, { trustedProxies: [], uploadFolder: tmpdir() });
  app.use(heldWhileHandled(bodies) as Koa.Middleware);
  const deps = { db, clock, log, signals: {}, settings: { creditsPerMinute: 1, usageRates: {} } };
  app.use(carrierEventRoutes(eventReceiver(deps as never), 'secret').routes() as unknown as Koa.Middleware);
  const settings = {
    agentSecret: 'secret',
    livekit: null,
    ringTimeoutS: 30,
    secretsKeys: KEYS,
    allowedCountries: ['IN'],
    allowedNumberTypes: [...ORDINARY_TYPES],
    transferSipDomains: [],
    transferMinutes: 10,
    ruleProfile: null,
    rulesForDispatches: false,
    creditsPerMinute: 1,
    callsPerSecond: 0,
    spendPerDay: { perCampaign: 0, perOrganization: 0 },
  };
  const gateway = { db, clock, storage, settings, receive: () => Promise.reject(new Error('no event')) };
  app.use(agentGatewayRoutes(gateway).routes() as unknown as Koa.Middleware);
  const handle = app.callback();
  const server = createServer((request, response) => void handle(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${secret}`,
      'Content-Type': audio === undefined ? 'application/json' : 'audio/wav',
    },
    ...(json !== undefined && { body: JSON.stringify(json) }),
    ...(audio !== undefined && { body: audio }),
  });
  const text = await response.text();
  server.close();
  server.closeAllConnections();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
}
