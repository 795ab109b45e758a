import type { RouterContext } from '@koa/router';
import type { BodyBudget, BodyOwner } from '../input/body-budget';
import type { ErrorFamily } from '../errors/answer';

/** What the middleware around the routes knows of a request. */
export interface ApiState {
  requestId: string;
  /** Common to most endpoints, unless the endpoint says otherwise. */
  errorFamily?: ErrorFamily;
  bodies: BodyBudget;
  /** Unset until the request was authenticated. */
  bodyOwner?: BodyOwner;
  /** Called in order once the request was handled. They never fail. */
  releases: (() => void | Promise<void>)[];
}

export type ApiContext = RouterContext<ApiState>;
