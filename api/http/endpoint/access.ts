import type { Scope } from '../../../db/clients/api-keys';
import type { Authentication, Caller, SessionCaller } from '../auth/api-key';
import type { AuthenticateReader, Reader } from '../auth/signed-query';
import type { RateKind, RateLimits, RequestSlots } from '../limits';
import type { ApiContext } from './context';

/** What stands between a request and its endpoint. */
export interface Gates {
  authentication: Authentication;
  authenticateReader: AuthenticateReader;
  rateLimits: RateLimits;
  requestSlots: RequestSlots;
}

/** What an endpoint asks of a key. */
export interface Needs {
  /** Null where any will do. */
  scope: Scope | null;
  kind: RateKind;
}

/** Who may use an endpoint: whoever proves it in one of the ways, or everybody where there are none. */
export interface Access<Who> {
  /** As the document names the ways; each alone is enough. */
  security: readonly ('apiKey' | 'session' | 'signature')[];
  admit: (gates: Gates, ctx: ApiContext, needs: Needs) => Promise<Who>;
}

/** By its key, or by a session of the console in its place. */
export const byKey: Access<Caller> = {
  security: ['apiKey', 'session'],
  admit: async ({ authentication, rateLimits }, ctx, { scope, kind }) => {
    const caller = await authentication.authenticate(ctx, scope);
    ctx.set(await rateLimits.admit(caller, kind));
    return caller;
  },
};

/** A caller whose answer lasts. */
export interface LastingCaller extends Caller {
  /** Rejects once the key or the session would be refused. */
  recheck: () => Promise<unknown>;
}

export const byKeyThroughout: Access<LastingCaller> = {
  security: byKey.security,
  admit: async (gates, ctx, needs) => {
    const caller = await byKey.admit(gates, ctx, needs);
    return { ...caller, recheck: () => gates.authentication.authenticate(ctx, needs.scope) };
  },
};

/** For the resources that an address signed by us opens too, whatever the scope. A request by one is not counted: it names no client. */
export const byKeyOrSignature: Access<Reader> = {
  security: ['apiKey', 'session', 'signature'],
  admit: async ({ authenticateReader, rateLimits }, ctx, { scope, kind }) => {
    const reader = await authenticateReader(ctx, scope);
    if (reader !== 'bearer') ctx.set(await rateLimits.admit(reader, kind));
    return reader;
  },
};

/** For what concerns the session itself. */
export const bySession: Access<SessionCaller> = {
  security: ['session'],
  admit: async ({ authentication, rateLimits }, ctx, { kind }) => {
    const caller = await authentication.authenticateSession(ctx);
    ctx.set(await rateLimits.admit(caller, kind));
    return caller;
  },
};

/** Somebody who proves in the body who they are. */
export interface Visitor {
  authentication: Authentication;
  ctx: ApiContext;
  /** Counts the request, once it is known whose it is. */
  admit: (client: { id: string }) => Promise<void>;
}

export const bySecretInBody: Access<Visitor> = {
  security: [],
  admit: ({ authentication, rateLimits }, ctx, { kind }) =>
    Promise.resolve({
      authentication,
      ctx,
      admit: async (client) => ctx.set(await rateLimits.admit(client, kind)),
    }),
};
