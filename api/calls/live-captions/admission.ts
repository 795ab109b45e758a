/** Limits the number of listeners and how often they may connect. */
import { Shares, type Release } from '../../../runtime/shares';
import { rateLimited, serviceUnavailable } from '../../http/errors/refusals';

export interface AdmissionLimits {
  perCall: number;
  /** Maximum number of listeners in this process. One organization may have a quarter. */
  perProcess: number;
  /** Maximum number of listeners whose history is being read, each with a database connection. One organization may have a quarter. */
  entering: number;
  /** Connections to one call per minute, so that a listener that keeps being dropped doesn't re-read its history each time. */
  perCallAndMinute: number;
}

export const ADMISSION_LIMITS: AdmissionLimits = {
  perCall: 100,
  perProcess: 5_000,
  entering: 40,
  perCallAndMinute: 120,
};

const OF_ONE = 1 / 4;
const WAIT_MS = 5_000;
const MINUTE_MS = 60_000;

export interface Admitted {
  /** Call it once the history has been read. */
  entered: Release;
  left: Release;
}

export class Admission {
  private readonly listening: Shares;
  private readonly entering: Shares;
  private cameSince = performance.now();
  private came = new Map<string, number>();

  constructor(private readonly limits: AdmissionLimits) {
    const { perProcess, entering } = limits;
    this.listening = new Shares({ most: perProcess, mostOfOne: Math.ceil(perProcess * OF_ONE) });
    this.entering = new Shares({
      most: entering,
      mostOfOne: Math.ceil(entering * OF_ONE),
      waiting: perProcess,
      waitMs: WAIT_MS,
    });
  }

  /** Counts a connection to the call. @throws ApiError 429 with the time to retry */
  assertMayCome(callId: string, listeningToCall: number): void {
    const { perCall, perCallAndMinute } = this.limits;
    const now = performance.now();
    if (now - this.cameSince > MINUTE_MS) {
      this.cameSince = now;
      this.came = new Map();
    }
    const came = (this.came.get(callId) ?? 0) + 1;
    if (came > perCallAndMinute) throw rateLimited(Math.ceil((this.cameSince + MINUTE_MS - now) / 1000));
    if (listeningToCall >= perCall) throw rateLimited(5);
    this.came.set(callId, came);
  }

  /** Waits for a slot of the organization. @throws ApiError 503 if it has too many listeners or the wait takes too long */
  async enter(organization: string): Promise<Admitted> {
    const left = this.listening.take(organization);
    if (left === null) throw serviceUnavailable();
    const entered = await this.entering.enter(organization);
    if (entered !== null) return { entered, left };
    left();
    throw serviceUnavailable();
  }
}
