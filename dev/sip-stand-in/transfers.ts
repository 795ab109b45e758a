/** Transfers by REFER, as livekit-sip makes them: answered with 202, and ended by what a NOTIFY says of the number transferred to. */
import { DisconnectReason } from '@livekit/rtc-node';
import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../simulator/clock';
import type { Timings } from '../simulator/plan';
import { farEndOf } from './far-end';
import type { LiveCall } from './live-call';
import { planOutbound } from './outbound-plan';
import { noRefer, notTransferred, type Refusal } from './sip-outcome';
import { TwirpError } from './twirp';

/** LiveKit's server waits no longer unless the request says so. */
const DEFAULT_TIMEOUT_MS = 30_000;
/** After which a transferred leg is hung up on, if the far end does not do it before. */
const TRANSFERRED_MS = 1_000;

interface Pending {
  to: string;
  done: Promise<void>;
}

export interface TransferRequest {
  to: string;
  /** 0: LiveKit's own. */
  ringTimeoutMs: number;
}

export class Transfers {
  private readonly pending = new Map<LiveCall, Pending>();

  constructor(private readonly options: { clock: Clock; timings: Timings }) {}

  /**
   * Resolves when the number transferred to has answered, and also when the call ends before: livekit-sip calls both a success.
   *
   * @throws TwirpError as the real service would answer
   */
  async transfer(call: LiveCall, request: TransferRequest): Promise<void> {
    const timeoutMs = request.ringTimeoutMs || DEFAULT_TIMEOUT_MS;
    const { to, done } = this.pending.get(call) ?? this.begin(call, request.to, timeoutMs);
    if (to !== request.to) {
      throw new TwirpError('invalid_argument', 'call already being transferred elsewhere');
    }
    await Promise.race([done, timedOut(timeoutMs)]);
  }

  private begin(call: LiveCall, to: string, timeoutMs: number): Pending {
    const done = this.refer(call, to, timeoutMs).finally(() => this.pending.delete(call));
    // Who asked may wait no longer.
    done.catch(() => undefined);
    const pending = { to, done };
    this.pending.set(call, pending);
    return pending;
  }

  private async refer(call: LiveCall, to: string, timeoutMs: number): Promise<void> {
    const { clock } = this.options;
    if (!call.isTalking) {
      throw new TwirpError('failed_precondition', "can't transfer non established call");
    }
    const farEnd = farEndOf(to);
    if (farEnd === 'no_refer') throw noRefer();
    const notified = farEnd === 'no_notify' ? timedOut(timeoutMs) : this.notified(to, timeoutMs);
    await Promise.race([notified, call.over]);
    clock.after(TRANSFERRED_MS, () => void call.end('callee', DisconnectReason.CLIENT_INITIATED));
  }

  /** The NOTIFY with a final status: the number transferred to rings first, as it would for a call. */
  private async notified(to: string, ringTimeoutMs: number): Promise<void> {
    const { timings, clock } = this.options;
    const { steps } = planOutbound({ to, ringTimeoutMs, maxCallMs: Infinity }, 1, timings);
    const last = steps.find(({ type }) => type === 'answered' || type === 'ended');
    await new Promise<void>((resolve) => clock.after(last?.after_ms ?? 0, resolve));
    if (last?.type === 'ended') throw notTransferred(refusalOf(last.end_reason));
  }
}

async function timedOut(afterMs: number): Promise<never> {
  await delay(afterMs, undefined, { ref: false });
  throw new TwirpError('deadline_exceeded', 'request timed out');
}

/** A plan that ends without an answer ends so. */
function refusalOf(endReason: string): Refusal {
  switch (endReason) {
    case 'busy':
    case 'rejected':
    case 'invalid_number':
    case 'carrier_failure':
      return endReason;
    default:
      return 'no_answer';
  }
}
