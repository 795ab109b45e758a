/**
 * Connections to URLs that a client of the platform chose (a custom-LLM server, an HTTP action): none to a private address in any spelling,
 * nor to a port of another protocol. Callers must not follow redirects.
 */
import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import { AddressRefused } from '../../runtime/network/address-refused';
import { dnsResolve, guardedLookup, type Resolve } from '../../runtime/network/guarded-lookup';
import { isForbiddenPort } from '../../domain/forbidden-port';
import { isPublicAddress } from '../../domain/public-address';

export interface Guard {
  /** Whether the operator's allow-list names this host: it may be private, and contacted without TLS. */
  isOpen(url: URL): boolean;
  /** For `http`, `https` or `ws`; `isFresh` opens a new connection. Throws `AddressRefused` when the URL itself is refused; a name is checked at each connection. */
  agentFor(url: URL, options?: { isFresh: boolean }): http.Agent;
}

export interface GuardOptions {
  /** `host` or `host:port`, in lower case: for development. */
  allowedHosts: readonly string[];
  /** DNS by default; tests pass their own. */
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
  const kept = { open: agentsWith({ keepAlive: true }), guarded: agentsWith({ keepAlive: true, lookup }) };
  const fresh = { open: agentsWith({}), guarded: agentsWith({ lookup }) };
  const isOpen = (url: URL): boolean =>
    allowed.has(url.hostname) || allowed.has(`${url.hostname}:${portOf(url)}`);
  return {
    isOpen,
    agentFor: (url, { isFresh } = { isFresh: false }) => {
      const isTls = IS_TLS.get(url.protocol);
      if (isTls === undefined) throw new AddressRefused('the protocol is not served');
      const isGuarded = !isOpen(url);
      if (isGuarded) assertPublic(url);
      const agents = (isFresh ? fresh : kept)[isGuarded ? 'guarded' : 'open'];
      return isTls ? agents.https : agents.http;
    },
  };
}

/** An IP literal is connected to without a look-up. `URL` has normalised its spelling. */
function assertPublic(url: URL): void {
  const address = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(address) !== 0 && !isPublicAddress(address)) throw new AddressRefused('the address is private');
  if (isForbiddenPort(portOf(url))) throw new AddressRefused('the port serves another protocol');
}

/** `URL` drops the default port of the protocol. */
const portOf = (url: URL): number => Number(url.port || (IS_TLS.get(url.protocol) === true ? 443 : 80));

const agentsWith = (options: http.AgentOptions): { http: http.Agent; https: https.Agent } => ({
  http: new http.Agent(options),
  https: new https.Agent(options),
});
