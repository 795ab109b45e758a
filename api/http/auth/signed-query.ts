import type { Scope } from '../../../db/organizations/api-keys';
import type { ApiContext } from '../endpoint/context';
import { invalidSignature } from '../errors/refusals';
import type { UrlSigner } from '../signed-url';
import type { Authenticate, Caller } from './api-key';

/** The caller, or `bearer` for a request with a signed URL, which anyone can use. */
export type Reader = Caller | 'bearer';

export type AuthenticateReader = (ctx: ApiContext, scope: Scope | null) => Promise<Reader>;

/** An API key takes precedence over a signature. */
export function apiKeyOrSignature(authenticate: Authenticate, signer: UrlSigner): AuthenticateReader {
  return async (ctx, scope) => {
    const { expires, signature } = ctx.query;
    if (ctx.get('X-API-Key') !== '' || signature === undefined) return authenticate(ctx, scope);
    if (!signer.verify(ctx.path, { expires, signature })) throw invalidSignature();
    return 'bearer';
  };
}

/** Returns null for a bearer, who may read the resource of any organization. */
export const organizationIdOf = (reader: Reader): string | null => (reader === 'bearer' ? null : reader.id);
