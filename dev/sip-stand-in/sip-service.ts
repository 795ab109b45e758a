/** Handles the two methods of LiveKit's SIP service that need a livekit-sip. */
import { type SipClient, TokenVerifier } from 'livekit-server-sdk';
import { isoOf, type Clock } from '../simulator/clock';
import type { Counters } from '../simulator/counters';
import type { SimulatorLog } from '../simulator/log';
import { scriptFor } from '../simulator/numbers';
import type { Timings } from '../simulator/plan';
import { farEndOf } from './far-end';
import {
  millisecondsOf,
  parseCreate,
  parseTransfer,
  participantRequest,
  type ParticipantRequest,
  type Trunk,
} from './participant-request';
import type { Switchboard } from './switchboard';
import { Transfers } from './transfers';
import { TwirpError } from './twirp';

export interface SipServiceOptions {
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
    this.refuseFirst(request);
    if (script.post === 'invalid') {
      this.note(request, 422);
      throw (await this.options.switchboard.refuseNumber(request)).error;
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

  /** Rejects the first request for the number: no livekit-sip accepted it, or the trunk's quota was used up. Nothing was dialled. */
  private refuseFirst(request: ParticipantRequest): void {
    const { post } = scriptFor(request.to);
    const { counters } = this.options;
    const isFull = farEndOf(request.to) === 'full_bridge';
    if (!isFull && post !== 'first_503' && post !== 'first_429') return;
    if (counters.wasRefused(request.to)) return;
    counters.postRefused(request.to);
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
