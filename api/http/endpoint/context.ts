import type { RouterContext } from '@koa/router';
import type { ErrorFamily } from '../errors/answer';

/** What the middleware around the routes knows of a request. */
export interface ApiState {
  requestId: string;
  /** Common to most endpoints, unless the endpoint says otherwise. */
  errorFamily?: ErrorFamily;
}

export type ApiContext = RouterContext<ApiState>;
