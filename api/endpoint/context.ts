import type { RouterContext } from '@koa/router';
import type { ErrorFamily } from '../errors/answer';

/** What the middleware around the routes knows of a request. */
export interface ApiState {
  requestId: string;
  /** Common to most endpoints, unless the endpoint says otherwise. */
  errorFamily?: ErrorFamily;
  /** Set once the request is authenticated, for the log. */
  clientId?: string;
}

export type ApiContext = RouterContext<ApiState>;
