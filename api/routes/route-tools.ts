import type { Authenticate } from '../auth/api-key';
import type { Reader } from '../auth/signed-query';
import type { ApiDependencies } from '../dependencies';
import type { ApiContext } from '../pipeline';
import type { UrlSigner } from '../signed-url';

/** What every group of routes is built from. */
export interface RouteTools {
  deps: ApiDependencies;
  signer: UrlSigner;
  authenticate: Authenticate;
  /** For the resources that an address signed by us opens too. */
  authenticateReader: (ctx: ApiContext) => Promise<Reader>;
}
