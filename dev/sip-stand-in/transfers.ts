/** Simulates livekit-sip's transfers by REFER: the trunk responds with 202, and a NOTIFY reports the target's result. */
import { DisconnectReason } from '@livekit/rtc-node';
import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../simulator/clock';
import type { Timings } from '../simulator/plan';
import { farEndOf } from './far-end';
import type { LiveCall } from './live-call';
import { planOutbound } from './outbound-plan';
import { noRefer, notTransferred, type Refusal } from './sip-outcome';
import { TwirpError } from './twirp';

/** LiveKit's server waits this long unless the request sets a timeout. */
const DEFAULT_TIMEOUT_MS = 30_000;
/** Delay before a transferred leg is hung up, unless the far end hangs up first. */
const TRANSFERRED_MS = 1_000;

interface Pending {
  to: string;
  done: Promise<void>;
}

export interface TransferRequest {
  to: string;
  /** 0 uses LiveKit's default. */
  ringTimeoutMs: number;
}

export class Transfers {
  private readonly pending = new Map<LiveCall, Pending>();

  constructor(private readonly options: { clock: Clock; timings: Timings }) {}

  /**
   * Resolves when the target has answered or the call has ended, because livekit-sip treats both as success.
   *
   * @throws TwirpError with the real service's error
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
    // The caller of this method may no longer be waiting.
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

  /** Waits for the NOTIFY with a final status. The target rings first, as in a call. */
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

/** Translates the end of a plan whose call isn't answered. */
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
