/** Handles the two methods of LiveKit's SIP service that need a livekit-sip. */
import { type SipClient, TokenVerifier } from 'livekit-server-sdk';
import { DisconnectReason } from '@livekit/rtc-node';
import { setTimeout as delay } from 'node:timers/promises';
import { isoOf, type Clock } from '../simulator/clock';
import type { Counters } from '../simulator/history';
import type { SimulatorLog } from '../simulator/log';
import { scriptFor } from '../simulator/numbers';
import type { Timings } from '../simulator/plan';
import { farEndOf, TwirpError, noRefer, notTransferred, type Refusal } from './sip-outcome';
import {
  millisecondsOf,
  parseCreate,
  parseTransfer,
  participantRequest,
  type ParticipantRequest,
  type Trunk,
} from './participant-request';
import { type Switchboard, planOutbound } from './switchboard';
import type { LiveCall } from './live-call';

interface SipServiceOptions {
  apiKey: string;
  apiSecret: string;
  clock: Clock;
  log: SimulatorLog;
  counters: Counters;
  switchboard: Switchboard;
  timings: Timings;
  /** Client of the real server, which stores the trunks. */
  sip: SipClient;
}

/** The response, or `lost` to cut the connection without one. */
export type ServiceAnswer = { lost: false; body: Record<string, unknown> } | { lost: true };

export class SipService {
  private readonly tokens: TokenVerifier;
  private readonly transfers: Transfers;

  constructor(private readonly options: SipServiceOptions) {
    this.tokens = new TokenVerifier(options.apiKey, options.apiSecret);
    this.transfers = new Transfers(options);
  }

  /** @throws TwirpError with the real service's error */
  async create(authorization: string | undefined, body: unknown): Promise<ServiceAnswer> {
    await this.authorize(authorization);
    const wanted = parseCreate(body);
    const request = participantRequest(wanted, await this.trunk(wanted.sipTrunkId));
    const script = scriptFor(request.to);
    this.rejectFirst(request);
    if (script.post === 'invalid') {
      this.note(request, 422);
      throw (await this.options.switchboard.rejectNumber(request)).error;
    }
    const placing = this.options.switchboard.place(request);
    this.note(request, script.reply === 'lost' ? null : 201);
    const call = await placing;
    if (script.reply === 'lost') return { lost: true };
    const failure = request.waitsForAnswer || call.ended ? await call.outcome : null;
    if (failure !== null) throw failure.error;
    return {
      lost: false,
      body: {
        participant_id: call.participantId,
        participant_identity: request.identity,
        room_name: request.roomName,
        sip_call_id: request.sipCallId,
      },
    };
  }

  /** The target's number decides the outcome. */
  async transfer(authorization: string | undefined, body: unknown): Promise<ServiceAnswer> {
    await this.authorize(authorization);
    const { roomName, participantIdentity, transferTo, ringingTimeout } = parseTransfer(body);
    const call = this.options.switchboard.find(roomName, participantIdentity);
    if (call === null) throw new TwirpError('not_found', 'participant does not exist');
    await this.transfers.transfer(call, {
      to: transferTo,
      ringTimeoutMs: millisecondsOf(ringingTimeout),
    });
    return { lost: false, body: {} };
  }

  /**
   * Rejects the first request for some numbers, as when no livekit-sip accepts it or when the quota of the trunk is used up. Nothing was
   * dialled.
   */
  private rejectFirst(request: ParticipantRequest): void {
    const { post } = scriptFor(request.to);
    const { counters } = this.options;
    const isFull = farEndOf(request.to) === 'full_bridge';
    if (!isFull && post !== 'first_503' && post !== 'first_429') return;
    if (counters.wasRejected(request.to)) return;
    counters.postRejected(request.to);
    const isBusy = post === 'first_429';
    this.note(request, isBusy ? 429 : 503);
    if (isBusy) throw new TwirpError('resource_exhausted', 'quota exceeded');
    // A busy bridge doesn't bid for calls. A bridge with an exhausted CPU rejects them.
    throw new TwirpError('unavailable', isFull ? 'cpu exhausted' : 'no response from servers');
  }

  private note({ roomName, to, sipCallId }: ParticipantRequest, status: number | null): void {
    const { log, clock } = this.options;
    log.write({
      kind: 'request',
      at: isoOf(clock.nowMs()),
      method: 'POST',
      // Logs the carrier protocol's path, because readers of the log search for it.
      path: '/calls',
      status,
      reference: roomName,
      to,
      carrier_id: sipCallId,
    });
  }

  private async authorize(authorization: string | undefined): Promise<void> {
    const token = /^Bearer (.+)$/.exec(authorization ?? '')?.[1];
    if (token === undefined) throw new TwirpError('unauthenticated', 'permissions denied');
    const grants = await this.tokens.verify(token).catch(() => null);
    if (grants?.sip?.call !== true) throw new TwirpError('unauthenticated', 'permissions denied');
  }

  /** Returns null for a request that contains its own trunk. */
  private async trunk(id: string): Promise<Trunk | null> {
    if (id === '') return null;
    const [stored] = await this.options.sip.listSipOutboundTrunk({ trunkIds: [id] });
    if (stored === undefined) throw new TwirpError('not_found', 'requested sip trunk does not exist');
    return { id, address: stored.address, numbers: stored.numbers };
  }
}

/** LiveKit's server waits this long unless the request sets a timeout. */
const DEFAULT_TIMEOUT_MS = 30_000;
/** Delay before a transferred leg is hung up, unless the far end hangs up first. */
const TRANSFERRED_MS = 1_000;

interface Pending {
  to: string;
  done: Promise<void>;
}

interface TransferRequest {
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
    // The code that called this method may no longer be waiting.
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
    if (last?.type === 'ended') throw notTransferred(rejectionOf(last.end_reason));
  }
}

async function timedOut(afterMs: number): Promise<never> {
  await delay(afterMs, undefined, { ref: false });
  throw new TwirpError('deadline_exceeded', 'request timed out');
}

/** Translates the end of a plan whose call isn't answered. */
function rejectionOf(endReason: string): Refusal {
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
