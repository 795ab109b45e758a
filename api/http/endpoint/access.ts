import type { Scope } from '../../../db/organizations/api-keys';
import type { Authentication, Caller, SessionCaller } from '../auth/api-key';
import type { AuthenticateReader, Reader } from '../auth/signed-query';
import type { RateKind, RateLimits, RequestSlots } from '../limits';
import type { ApiContext } from './context';

/** Checks that run between a request and its endpoint. */
export interface Gates {
  authentication: Authentication;
  authenticateReader: AuthenticateReader;
  rateLimits: RateLimits;
  requestSlots: RequestSlots;
}

/** An endpoint's requirements for an API key. */
export interface Needs {
  /** Null if any key is accepted. */
  scope: Scope | null;
  kind: RateKind;
}

/** Decides which requests may use an endpoint. */
export interface Access<Who> {
  /** Names of the OpenAPI security schemes. Any one of them is enough; an empty list makes the endpoint public. */
  security: readonly ('apiKey' | 'session' | 'signature')[];
  admit: (gates: Gates, ctx: ApiContext, needs: Needs) => Promise<Who>;
}

/** Accepts an API key or a console session. */
export const byKey: Access<Caller> = {
  security: ['apiKey', 'session'],
  admit: async ({ authentication, rateLimits }, ctx, { scope, kind }) => {
    const caller = await authentication.authenticate(ctx, scope);
    ctx.set(await rateLimits.admit(caller, kind));
    return caller;
  },
};

/** A caller with a long-lived response. */
export interface LastingCaller extends Caller {
  /** Rejects once the key or session is no longer valid. */
  recheck: () => Promise<unknown>;
}

export const byKeyThroughout: Access<LastingCaller> = {
  security: byKey.security,
  admit: async (gates, ctx, needs) => {
    const caller = await byKey.admit(gates, ctx, needs);
    return { ...caller, recheck: () => gates.authentication.authenticate(ctx, needs.scope) };
  },
};

/** Also accepts a signed URL, regardless of the scope. Such a request isn't rate-limited because it names no organization. */
export const byKeyOrSignature: Access<Reader> = {
  security: ['apiKey', 'session', 'signature'],
  admit: async ({ authenticateReader, rateLimits }, ctx, { scope, kind }) => {
    const reader = await authenticateReader(ctx, scope);
    if (reader !== 'bearer') ctx.set(await rateLimits.admit(reader, kind));
    return reader;
  },
};

/** Accepts console sessions only. */
export const bySession: Access<SessionCaller> = {
  security: ['session'],
  admit: async ({ authentication, rateLimits }, ctx, { kind }) => {
    const caller = await authentication.authenticateSession(ctx);
    ctx.set(await rateLimits.admit(caller, kind));
    return caller;
  },
};

/** A person who authenticates with a secret in the body. */
export interface Visitor {
  authentication: Authentication;
  ctx: ApiContext;
  /** Counts the request against the organization's rate limit, once the organization is known. */
  admit: (organization: { id: string }) => Promise<void>;
}

export const bySecretInBody: Access<Visitor> = {
  security: [],
  admit: ({ authentication, rateLimits }, ctx, { kind }) =>
    Promise.resolve({
      authentication,
      ctx,
      admit: async (organization) => ctx.set(await rateLimits.admit(organization, kind)),
    }),
};
