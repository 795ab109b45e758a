/** How many listeners there may be, and how often one may come. */
import { rateLimited, serviceUnavailable } from '../../http/errors/refusals';

export interface AdmissionLimits {
  perCall: number;
  perProcess: number;
  /** Whose history is being read: each takes a connection of the pool for a moment. */
  entering: number;
  /** Of one call. A listener that is dropped over and over must not read its history each time. */
  perCallAndMinute: number;
}

export const ADMISSION_LIMITS: AdmissionLimits = {
  perCall: 100,
  perProcess: 5_000,
  entering: 100,
  perCallAndMinute: 120,
};

const MINUTE_MS = 60_000;

export class Admission {
  private entering = 0;
  private listening = 0;
  private cameSince = performance.now();
  private came = new Map<string, number>();

  constructor(private readonly limits: AdmissionLimits) {}

  /** Throws an `ApiError` that says when to come again. Who may enter ends it with `entered` or `left`. */
  enter(callId: string, listeningToCall: number): void {
    const { perCall, perProcess, entering, perCallAndMinute } = this.limits;
    const now = performance.now();
    if (now - this.cameSince > MINUTE_MS) {
      this.cameSince = now;
      this.came = new Map();
    }
    const came = (this.came.get(callId) ?? 0) + 1;
    if (came > perCallAndMinute) throw rateLimited(Math.ceil((this.cameSince + MINUTE_MS - now) / 1000));
    if (listeningToCall >= perCall) throw rateLimited(5);
    if (this.entering >= entering || this.listening + this.entering >= perProcess) throw serviceUnavailable();
    this.came.set(callId, came);
    this.entering += 1;
  }

  /** The listener that was let in listens now, or went away before. */
  entered(isListening: boolean): void {
    this.entering -= 1;
    if (isListening) this.listening += 1;
  }

  left(): void {
    this.listening -= 1;
  }
}
