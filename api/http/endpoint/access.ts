import type { Scope } from '../../../db/clients/api-keys';
import type { Authenticate, Caller } from '../auth/api-key';
import type { AuthenticateReader, Reader } from '../auth/signed-query';
import type { RateKind, RateLimits } from '../limits';
import type { ApiContext } from './context';

/** What stands between a request and its endpoint. */
export interface Gates {
  authenticate: Authenticate;
  authenticateReader: AuthenticateReader;
  rateLimits: RateLimits;
}

/** What an endpoint asks of a key. */
export interface Needs {
  scope: Scope;
  kind: RateKind;
}

/** Who may use an endpoint. */
export interface Access<Who> {
  /** As the document names the ways; each alone is enough. */
  security: readonly ('apiKey' | 'signature')[];
  admit: (gates: Gates, ctx: ApiContext, needs: Needs) => Promise<Who>;
}

export const byKey: Access<Caller> = {
  security: ['apiKey'],
  admit: async ({ authenticate, rateLimits }, ctx, { scope, kind }) => {
    const caller = await authenticate(ctx, scope);
    ctx.set(await rateLimits.admit(caller, kind));
    return caller;
  },
};

/** For the resources that an address signed by us opens too, whatever the scope. A request by one is not counted: it names no client. */
export const byKeyOrSignature: Access<Reader> = {
  security: ['apiKey', 'signature'],
  admit: async ({ authenticateReader, rateLimits }, ctx, { scope, kind }) => {
    const reader = await authenticateReader(ctx, scope);
    if (reader !== 'bearer') ctx.set(await rateLimits.admit(reader, kind));
    return reader;
  },
};
