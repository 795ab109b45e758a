/** The API's log: JSON lines, each with what it concerns, so that all lines about one request or one call can be found. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Middleware } from 'koa';
import pino, { type DestinationStream, type Logger } from 'pino';
import type { ApiState } from './endpoint/context';

/** Ids only. */
export interface Concern {
  request_id?: string;
  client_id?: string;
  call_id?: string;
  campaign_id?: string;
  trace_id?: string;
}

const concerns = new AsyncLocalStorage<Concern>();

/** Standard output unless a destination is given. */
export function apiLog({ level }: { level: string }, destination?: DestinationStream): Logger {
  const options = { level, base: { process: 'api' }, mixin: () => ({ ...concerns.getStore() }) };
  return destination === undefined ? pino(options) : pino(options, destination);
}

/** Every line that is written while a request is handled names the request. */
export const requestConcern: Middleware<ApiState> = (ctx, next) =>
  concerns.run({ request_id: ctx.state.requestId }, next);

/** From here on the lines of this request name these too. Without effect outside a request. */
export function alsoConcerns(more: Concern): void {
  const concern = concerns.getStore();
  if (concern !== undefined) Object.assign(concern, more);
}

/** Does work that outlasts the request which starts it, and serves others too. */
export const outsideRequest = <T>(work: () => T): T => concerns.run({}, work);

/** What the request in hand is about, as far as it is known. */
export const concernNow = (): Readonly<Concern> => concerns.getStore() ?? {};
