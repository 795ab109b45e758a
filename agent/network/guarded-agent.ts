/**
 * Connections to URLs that a client of the platform chose (a custom-LLM server, an HTTP action): none to a private address in any
 * spelling, nor to a port of another protocol. Whoever uses it must not follow redirects.
 */
import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import { isForbiddenPort } from '../../workflows/domain/forbidden-port';
import { isPublicAddress } from '../../workflows/domain/public-address';
import { AddressRefused } from '../../runtime/network/address-refused';
import { dnsResolve, guardedLookup, type Resolve } from '../../runtime/network/guarded-lookup';

export interface Guard {
  /** Whether the operator's allow-list names this host: it may be private, and spoken to without TLS. */
  isOpen(url: URL): boolean;
  /** For `http`, `https` or `ws`. Throws `AddressRefused` where the URL tells; what a name leads to is judged at each connection. */
  agentFor(url: URL): http.Agent;
}

export interface GuardOptions {
  /** `host` or `host:port`, in lower case: for development. */
  allowedHosts: readonly string[];
  /** DNS unless a test has names of its own. */
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
  const open = agentsWith({ keepAlive: true });
  const guarded = agentsWith({ keepAlive: true, lookup: guardedLookup(resolve) });
  const isOpen = (url: URL): boolean =>
    allowed.has(url.hostname) || allowed.has(`${url.hostname}:${portOf(url)}`);
  return {
    isOpen,
    agentFor: (url) => {
      const isTls = IS_TLS.get(url.protocol);
      if (isTls === undefined) throw new AddressRefused('the protocol is not served');
      const agents = isOpen(url) ? open : guarded;
      if (agents === guarded) assertPublic(url);
      return isTls ? agents.https : agents.http;
    },
  };
}

/** An address is connected to without being looked up. The URL has made one spelling of all. */
function assertPublic(url: URL): void {
  const address = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(address) !== 0 && !isPublicAddress(address)) throw new AddressRefused('the address is private');
  if (isForbiddenPort(portOf(url))) throw new AddressRefused('the port serves another protocol');
}

/** A URL drops the port that is its protocol's own. */
const portOf = (url: URL): number => Number(url.port || (IS_TLS.get(url.protocol) === true ? 443 : 80));

const agentsWith = (options: http.AgentOptions): { http: http.Agent; https: https.Agent } => ({
  http: new http.Agent(options),
  https: new https.Agent(options),
});
