import type { RouterContext } from '@koa/router';
import type { BodyBudget, BodyOwner } from './input/body-budget';
import type { ErrorFamily } from './errors/answer';

/** State of a request that middleware sets and endpoints use. */
export interface ApiState {
  requestId: string;
  /** Default: `detail`. */
  errorFamily?: ErrorFamily;
  bodies: BodyBudget;
  /** Undefined until the request is authenticated. */
  bodyOwner?: BodyOwner;
  /** Called in order after the request was handled. Must not throw. */
  releases: (() => void | Promise<void>)[];
}

export type ApiContext = RouterContext<ApiState>;
