/** Limits the memory of all request bodies together, and how slowly a body may arrive. */
import type { IncomingMessage } from 'node:http';
import { Shares } from '../../../runtime/shares';
import { trustedProxies, type TrustedProxies } from '../../../config/trusted-proxies';
import { clientAddress, networkOf } from '../auth/client-address';
import { requestTimedOut, shareTaken } from '../errors/refusals';

export interface BodyLimits {
  /** Total bytes of all bodies in memory. */
  bufferedBytes: number;
  /** In each window a body must either end or deliver `minBytes`. */
  windowMs: number;
  minBytes: number;
}

const PACE: Omit<BodyLimits, 'bufferedBytes'> = { windowMs: 10_000, minBytes: 80 * 1024 };

/** Shares of the budget that one organization, or one unauthenticated network, may hold. */
const ORGANIZATION_SHARE = 1 / 4;
const NETWORK_SHARE = 1 / 256;

/**
 * Owner of requests that authenticate with an operator's secret. Their bodies aren't part of the budget, so no organization can delay them.
 */
export const PLATFORM = Symbol('platform');

/** A body uses the share of its organization. A request without an owner uses the share of its network. */
export type BodyOwner = { organization: string } | typeof PLATFORM;

/** The parts of a request that the budget needs. */
interface BudgetedRequest {
  req: IncomingMessage;
  state: { bodyOwner?: BodyOwner; releases: (() => void | Promise<void>)[] };
}

export class BodyBudget {
  private readonly shares: Shares;
  private readonly limits: BodyLimits;
  private readonly proxies: TrustedProxies;
  /** Folder of uploaded files, which exist only while their request is handled. */
  readonly uploadFolder: string;

  constructor(
    limits: Pick<BodyLimits, 'bufferedBytes'> & Partial<BodyLimits>,
    { trustedProxies: texts, uploadFolder }: { trustedProxies: string[]; uploadFolder: string },
  ) {
    const proxies = trustedProxies(texts);
    if (proxies === null) throw new TypeError('a trusted proxy is neither an address nor a network');
    this.proxies = proxies;
    this.uploadFolder = uploadFolder;
    this.limits = { ...PACE, ...limits };
    const max = this.limits.bufferedBytes;
    this.shares = new Shares({ max, maxPerOwner: max * ORGANIZATION_SHARE });
  }

  /** Reserves the bytes until the request is handled. @throws ApiError 503 if the share or the whole budget is used up */
  reserve({ req, state }: BudgetedRequest, units: number): void {
    const owner = state.bodyOwner;
    if (owner === PLATFORM) return;
    const release =
      owner === undefined
        ? this.shares.take(`network ${networkOf(clientAddress(req, this.proxies))}`, {
            units,
            maxPerOwner: this.limits.bufferedBytes * NETWORK_SHARE,
          })
        : this.shares.take(`organization ${owner.organization}`, { units });
    if (release === null) throw shareTaken();
    state.releases.push(release);
  }

  /** Runs work that reads the request. @throws ApiError 408 if the body is too slow, or the error that `fault` returns for the bytes so far */
  async paced<T>(
    request: IncomingMessage,
    work: () => Promise<T>,
    fault: (bytes: number) => Error | null = () => null,
  ): Promise<T> {
    const { windowMs, minBytes } = this.limits;
    const start = request.socket.bytesRead;
    let last = start;
    let timer: NodeJS.Timeout | undefined;
    const refused = new Promise<never>((_resolve, reject) => {
      timer = setInterval(() => {
        const now = request.socket.bytesRead;
        const found = fault(now - start) ?? (now - last < minBytes ? requestTimedOut() : null);
        last = now;
        // Unread bytes mean that the client is waiting for us.
        if (found !== null && !request.complete && request.readableLength === 0) reject(found);
      }, windowMs);
    });
    try {
      return await Promise.race([work(), refused]);
    } finally {
      clearInterval(timer);
    }
  }
}
