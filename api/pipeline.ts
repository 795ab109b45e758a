import type { RouterContext, RouterMiddleware } from '@koa/router';
import type { ErrorFamily } from './errors/answer';

/** What the middleware around the routes knows of a request. */
export interface ApiState {
  requestId: string;
  /** Common to most endpoints, unless the route says otherwise. */
  errorFamily?: ErrorFamily;
  /** Set once the request is authenticated, for the log. */
  clientId?: string;
}

export type ApiContext = RouterContext<ApiState>;

/** The steps of an endpoint, in the order in which they run. Each takes what the one before answers. */
export interface Endpoint<Caller, Input, Result> {
  /** Before anything of the body is read. */
  authenticate: (ctx: ApiContext) => Promise<Caller> | Caller;
  validate: (ctx: ApiContext, caller: Caller) => Promise<Input> | Input;
  handle: (input: Input, caller: Caller) => Promise<Result>;
  /** The body of the answer. May set headers, never decide anything. */
  present: (result: Result, ctx: ApiContext, caller: Caller) => unknown;
  /** 200 unless given. */
  status?: number;
  errors?: ErrorFamily;
}

export function endpoint<Caller, Input, Result>(
  steps: Endpoint<Caller, Input, Result>,
): RouterMiddleware<ApiState> {
  return async (ctx) => {
    ctx.state.errorFamily = steps.errors ?? 'detail';
    const caller = await steps.authenticate(ctx);
    const input = await steps.validate(ctx, caller);
    const result = await steps.handle(input, caller);
    ctx.body = steps.present(result, ctx, caller);
    ctx.status = steps.status ?? 200;
  };
}
