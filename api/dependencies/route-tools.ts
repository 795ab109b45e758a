import type { LiveProgress } from '../campaigns/live/live-progress';
import type { ApiDependencies } from './index';
import type { UrlSigner } from '../http/signed-url';

/** What every group of endpoints is built from. */
export interface RouteTools {
  deps: ApiDependencies;
  signer: UrlSigner;
  live: LiveProgress;
}
