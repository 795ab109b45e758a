/** Names into addresses for a connection to a URL that a client of the platform chose: a webhook's, an action's, a server that thinks for an agent. */
import { Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { isPublicAddress } from '../../domain/public-address';
import { AddressRefused } from './address-refused';

/** All addresses of a name. */
export type Resolve = (hostname: string) => Promise<string[]>;

/**
 * The addresses that are looked at are those that are connected to: nobody asks a second time, so a name that changes its address in
 * between gains nothing.
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
  // Names of this machine, which no name server needs to know.
  if (/(^|\.)localhost\.?$/i.test(hostname)) throw new AddressRefused('the address is private');
  const addresses = await resolve(hostname);
  if (!addresses.every(isPublicAddress)) throw new AddressRefused('the address is private');
  return addresses;
}

const notFound = (): Error => Object.assign(new Error('the name is not known'), { code: 'ENOTFOUND' });

/**
 * By DNS alone, without the machine's own names. The system's own look-up would hold one of four threads for as long as a name server
 * keeps silent: four such receivers would stop all others, and every access to a file. `servers` are the system's unless given.
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
