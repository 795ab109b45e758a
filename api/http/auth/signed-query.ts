import type { Scope } from '../../../db/clients/api-keys';
import type { ApiContext } from '../endpoint/context';
import { invalidSignature } from '../errors/refusals';
import type { UrlSigner } from '../signed-url';
import type { Authenticate, Caller } from './api-key';

/** The client by its key, or `bearer` of an address that we signed: that one resource is open to everyone who has it. */
export type Reader = Caller | 'bearer';

export type AuthenticateReader = (ctx: ApiContext, scope: Scope | null) => Promise<Reader>;

/** A key counts more than a signature: a request with one wants to be known. */
export function apiKeyOrSignature(authenticate: Authenticate, signer: UrlSigner): AuthenticateReader {
  return async (ctx, scope) => {
    const { expires, signature } = ctx.query;
    if (ctx.get('X-API-Key') !== '' || signature === undefined) return authenticate(ctx, scope);
    if (!signer.verify(ctx.path, { expires, signature })) throw invalidSignature();
    return 'bearer';
  };
}

/** Null for a bearer, to whom the resource is open whosever it is. */
export const clientIdOf = (reader: Reader): string | null => (reader === 'bearer' ? null : reader.id);
