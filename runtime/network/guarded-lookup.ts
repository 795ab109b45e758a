/** DNS look-up for URLs that organizations choose, for webhooks, actions and custom LLMs. */
import { Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { isPublicAddress } from '../../domain/public-address';

/** Resolves a name to all of its addresses. */
export type Resolve = (hostname: string) => Promise<string[]>;

/**
 * Checks the same addresses that the connection then uses. This defeats DNS rebinding, in which a name changes its address between the
 * check and the connection.
 */
export const guardedLookup =
  (resolve: Resolve): LookupFunction =>
  (hostname, { all }, callback) => {
    void publicAddressesOf(hostname, resolve).then(
      (addresses) => {
        const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
        const [first] = found;
        if (first === undefined) callback(notFound(), '');
        else if (all === true) callback(null, found);
        else callback(null, first.address, first.family);
      },
      (error: unknown) => callback(error instanceof Error ? error : notFound(), ''),
    );
  };

async function publicAddressesOf(hostname: string, resolve: Resolve): Promise<string[]> {
  // Names of this machine, which name servers may not know.
  if (/(^|\.)localhost\.?$/i.test(hostname)) throw new AddressRefused('the address is private');
  const addresses = await resolve(hostname);
  if (!addresses.every(isPublicAddress)) throw new AddressRefused('the address is private');
  return addresses;
}

const notFound = (): Error => Object.assign(new Error('the name is not known'), { code: 'ENOTFOUND' });

/**
 * Uses only DNS, by default with the system's servers. The system's own look-up occupies one of four threads while a name server is silent,
 * so four such receivers would block all others and all file access.
 */
export function dnsResolve(servers?: readonly string[]): Resolve {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  if (servers !== undefined) resolver.setServers(servers);
  return async (hostname) => {
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    const [first] = answers;
    if (found.length === 0 && first.status === 'rejected') throw first.reason;
    return found;
  };
}

/** The address must never be connected to, so a retry is useless. The message doesn't contain the address. */
export class AddressRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'AddressRefused';
  }
}
