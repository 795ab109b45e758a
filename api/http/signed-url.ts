import { createHmac, timingSafeEqual } from 'node:crypto';
import { derivedKey } from './derived-key';

const VALID_FOR_S = 24 * 60 * 60;

/**
 * Addresses that can be opened without the API key: in a browser, from a spreadsheet. The signature covers the path and the expiry,
 * so it opens nothing but that one resource, to read, for 24 hours.
 */
export class UrlSigner {
  private readonly key: Buffer;

  constructor(private readonly options: { secretsKey: Buffer; publicUrl: string; clock: { now(): number } }) {
    this.key = derivedKey(options.secretsKey, 'signed addresses');
  }

  sign(path: string): string {
    const expires = String(Math.floor(this.options.clock.now() / 1000) + VALID_FOR_S);
    const signature = this.signature(path, expires).toString('hex');
    return `${this.options.publicUrl}${path}?expires=${expires}&signature=${signature}`;
  }

  verify(path: string, query: { expires: unknown; signature: unknown }): boolean {
    const { expires, signature } = query;
    if (typeof expires !== 'string' || !/^\d{1,12}$/.test(expires)) return false;
    if (typeof signature !== 'string' || !/^[0-9a-f]{64}$/.test(signature)) return false;
    const genuine = timingSafeEqual(Buffer.from(signature, 'hex'), this.signature(path, expires));
    return genuine && Number(expires) * 1000 > this.options.clock.now();
  }

  private signature(path: string, expires: string): Buffer {
    return createHmac('sha256', this.key).update(`${path}\n${expires}`).digest();
  }
}
