/** The API's log. Each JSON line contains the ids that it is about, so all lines of a request or call can be found. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Middleware } from 'koa';
import pino, { type DestinationStream, type Logger } from 'pino';
import type { ApiState } from './context';

interface Concern {
  request_id?: string;
  organization_id?: string;
  call_id?: string;
  campaign_id?: string;
  trace_id?: string;
}

const concerns = new AsyncLocalStorage<Concern>();

/** Writes to standard output by default. */
export function apiLog({ level }: { level: string }, destination?: DestinationStream): Logger {
  const options = { level, base: { process: 'api' }, mixin: () => ({ ...concerns.getStore() }) };
  return destination === undefined ? pino(options) : pino(options, destination);
}

/** Adds the request id to every line that is logged while the request is handled. */
export const requestConcern: Middleware<ApiState> = (ctx, next) =>
  concerns.run({ request_id: ctx.state.requestId }, next);

/** Adds ids to all further lines of this request. Does nothing outside a request. */
export function alsoConcerns(more: Concern): void {
  const concern = concerns.getStore();
  if (concern !== undefined) Object.assign(concern, more);
}

/** Runs work that outlives the current request and also serves others. */
export const outsideRequest = <T>(work: () => T): T => concerns.run({}, work);

/** Returns the ids of the current request. */
export const concernNow = (): Readonly<Concern> => concerns.getStore() ?? {};
