/** Bounds the memory of all request bodies together, and the time that each may take to arrive. */
import type { IncomingMessage } from 'node:http';
import { Shares } from '../../../runtime/shares';
import { clientAddress, networkOf, trustedProxies, type TrustedProxies } from '../auth/client-address';
import { requestTimedOut, shareTaken } from '../errors/refusals';

export interface BodyLimits {
  /** Bytes of all bodies together. */
  bufferedBytes: number;
  /** Within each window a body must end or bring this many bytes. */
  windowMs: number;
  leastBytes: number;
}

export const PACE: Omit<BodyLimits, 'bufferedBytes'> = { windowMs: 10_000, leastBytes: 80 * 1024 };

/** The parts of the budget that an organization may hold, and a network that has shown no key. */
const OF_ONE = 1 / 4;
const OF_ONE_NETWORK = 1 / 256;

/** The owner of requests that have a secret of the operator. They are bounded singly, and no organization delays them. */
export const PLATFORM = Symbol('platform');

/** A body counts for an organization or for the platform itself. A request without either counts for its network. */
export type BodyOwner = { organization: string } | typeof PLATFORM;

/** A request as far as the budget knows it. */
interface BudgetedRequest {
  req: IncomingMessage;
  state: { bodyOwner?: BodyOwner; releases: (() => void | Promise<void>)[] };
}

export class BodyBudget {
  private readonly shares: Shares;
  private readonly limits: BodyLimits;
  private readonly proxies: TrustedProxies;
  /** Files of forms are in it while their requests are handled. */
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
    const most = this.limits.bufferedBytes;
    this.shares = new Shares({ most, mostOfOne: most * OF_ONE });
  }

  /** Reserves the bytes until the request was handled. @throws ApiError 503 where the share or the whole is used up */
  reserve({ req, state }: BudgetedRequest, units: number): void {
    const owner = state.bodyOwner;
    if (owner === PLATFORM) return;
    const release =
      owner === undefined
        ? this.shares.take(`network ${networkOf(clientAddress(req, this.proxies))}`, {
            units,
            mostOfOne: this.limits.bufferedBytes * OF_ONE_NETWORK,
          })
        : this.shares.take(`organization ${owner.organization}`, { units });
    if (release === null) throw shareTaken();
    state.releases.push(release);
  }

  /** Does work that reads the request. @throws ApiError 408 where the body is too slow, and what `fault` returns for the bytes so far */
  async paced<T>(
    request: IncomingMessage,
    work: () => Promise<T>,
    fault: (bytes: number) => Error | null = () => null,
  ): Promise<T> {
    const { windowMs, leastBytes } = this.limits;
    const start = request.socket.bytesRead;
    let last = start;
    let timer: NodeJS.Timeout | undefined;
    const refused = new Promise<never>((_resolve, reject) => {
      timer = setInterval(() => {
        const now = request.socket.bytesRead;
        const found = fault(now - start) ?? (now - last < leastBytes ? requestTimedOut() : null);
        last = now;
        // Bytes that wait in the request wait for us.
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
