import type { ApiDependencies } from '../../dependencies';
import type { UrlSigner } from '../signed-url';

/** What every group of endpoints is built from. */
export interface RouteTools {
  deps: ApiDependencies;
  signer: UrlSigner;
}
