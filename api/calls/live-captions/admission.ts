/** How many listeners there may be, and how often one may come. */
import { Shares, type Release } from '../../../runtime/shares';
import { rateLimited, serviceUnavailable } from '../../http/errors/refusals';

export interface AdmissionLimits {
  perCall: number;
  /** Listeners of this process. One organization may have a quarter. */
  perProcess: number;
  /** Listeners whose history is being read, of which one organization may have a quarter. Each takes a connection of the pool for a moment. */
  entering: number;
  /** Arrivals at one call. A listener that is dropped over and over must not read its history each time. */
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

/** A listener that was let in. */
export interface Admitted {
  /** Its history was read. */
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

  /** Counts an arrival at the call. Throws an `ApiError` that says when to come again. */
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

  /** Waits for the turn of the organization. Throws an `ApiError` where it has its share of listeners or the turn does not come. */
  async enter(organization: string): Promise<Admitted> {
    const left = this.listening.take(organization);
    if (left === null) throw serviceUnavailable();
    const entered = await this.entering.enter(organization);
    if (entered !== null) return { entered, left };
    left();
    throw serviceUnavailable();
  }
}
