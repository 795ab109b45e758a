import type { LiveProgress } from '../campaigns/live/live-progress';
import type { ApiDependencies } from './index';
import type { UrlSigner } from '../http/signed-url';

/** Shared dependencies of all groups of endpoints. */
export interface RouteTools {
  deps: ApiDependencies;
  signer: UrlSigner;
  live: LiveProgress;
}
