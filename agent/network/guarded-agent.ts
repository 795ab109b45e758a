/**
 * Connects to URLs from an organization's configuration, but never to a private address or a port of another protocol. Code that uses this
 * must not follow redirects.
 */
import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import {
  AddressRefused,
  dnsResolve,
  guardedLookup,
  type Resolve,
} from '../../runtime/network/guarded-lookup';
import { isPublicAddress, isForbiddenPort } from '../../domain/public-address';

export interface Guard {
  /** Returns true if the operator's allow-list contains this host. Such a host can be private and needs no TLS. */
  isOpen(url: URL): boolean;
  /**
   * Returns an agent for `http`, `https` or `ws`. With `isFresh`, the agent opens a new connection. Throws `AddressRefused` if the URL
   * itself is not allowed; resolved names are checked at each connection.
   */
  agentFor(url: URL, options?: { isFresh: boolean }): http.Agent;
}

interface GuardOptions {
  /** Lower-case `host` or `host:port` entries, for development. */
  allowedHosts: readonly string[];
  /** Default: DNS. Tests pass their own. */
  resolve?: Resolve;
}

const IS_TLS: ReadonlyMap<string, boolean> = new Map([
  ['https:', true],
  ['wss:', true],
  ['http:', false],
  ['ws:', false],
]);

export function createGuard({ allowedHosts, resolve = dnsResolve() }: GuardOptions): Guard {
  const allowed = new Set(allowedHosts);
  const lookup = guardedLookup(resolve);
  const pooled = { open: agentsWith({ keepAlive: true }), guarded: agentsWith({ keepAlive: true, lookup }) };
  const unpooled = { open: agentsWith({}), guarded: agentsWith({ lookup }) };
  const isOpen = (url: URL): boolean =>
    allowed.has(url.hostname) || allowed.has(`${url.hostname}:${portOf(url)}`);
  return {
    isOpen,
    agentFor: (url, { isFresh } = { isFresh: false }) => {
      const isTls = IS_TLS.get(url.protocol);
      if (isTls === undefined) throw new AddressRefused('the protocol is not supported');
      const isGuarded = !isOpen(url);
      if (isGuarded) assertPublic(url);
      const agents = (isFresh ? unpooled : pooled)[isGuarded ? 'guarded' : 'open'];
      return isTls ? agents.https : agents.http;
    },
  };
}

/** Node connects to IP literals without a DNS lookup, so they are checked here. `URL` has already normalised their spelling. */
function assertPublic(url: URL): void {
  const address = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(address) !== 0 && !isPublicAddress(address)) throw new AddressRefused('the address is private');
  if (isForbiddenPort(portOf(url))) throw new AddressRefused('the port is reserved for another protocol');
}

/** `URL` omits the protocol's default port. */
const portOf = (url: URL): number => Number(url.port || (IS_TLS.get(url.protocol) === true ? 443 : 80));

const agentsWith = (options: http.AgentOptions): { http: http.Agent; https: https.Agent } => ({
  http: new http.Agent(options),
  https: new https.Agent(options),
});
