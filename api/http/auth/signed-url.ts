import { type SecretsKeys, isGenuine, signatureOf, type Signing } from '../../../db/kernel/secrets-keys';
import type { Scope } from '../../../db/organizations/api-keys';
import type { ApiContext } from '../context';
import { invalidSignature } from '../errors/refusals';
import type { Authenticate, ApiClient } from './api-key';

/** Validity of every URL that opens without an API key. */
export const ADDRESS_VALID_FOR_MS = 24 * 60 * 60 * 1000;

/**
 * Signs URLs that open without an API key, for example in a browser or from a spreadsheet. The signature covers path and expiry, so it
 * opens only that resource, for reading, for 24 hours.
 */
export class UrlSigner {
  private readonly signing: Signing;

  constructor(
    private readonly options: { secretsKeys: SecretsKeys; publicUrl: string; clock: { now(): number } },
  ) {
    this.signing = { keys: options.secretsKeys, purpose: 'signed addresses' };
  }

  sign(path: string): string {
    const expires = String(Math.floor((this.options.clock.now() + ADDRESS_VALID_FOR_MS) / 1000));
    const signature = signatureOf(this.signing, path, expires).toString('hex');
    return `${this.options.publicUrl}${path}?expires=${expires}&signature=${signature}`;
  }

  verify(path: string, { expires, signature }: { expires: unknown; signature: unknown }): boolean {
    if (typeof expires !== 'string' || !/^\d{1,12}$/.test(expires)) return false;
    if (typeof signature !== 'string' || !/^[0-9a-f]{64}$/.test(signature)) return false;
    const given = { subject: path, expires, signature: Buffer.from(signature, 'hex') };
    return isGenuine(this.signing, given) && Number(expires) * 1000 > this.options.clock.now();
  }
}

/** The API client, or `bearer` for a request with a signed URL, which anyone can use. */
export type Reader = ApiClient | 'bearer';

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
