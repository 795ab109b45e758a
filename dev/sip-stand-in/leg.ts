/** A phone's side of a call in its room: a real participant of kind SIP, with the attributes that livekit-sip sets. */
import { DisconnectRequest, FfiRequest, livekitFfiRequest } from '@livekit/rtc-ffi-bindings';
import {
  AudioSource,
  LocalAudioTrack,
  Room,
  RoomEvent,
  TrackPublishOptions,
  TrackSource,
  type DisconnectReason,
} from '@livekit/rtc-node';
import { setTimeout as delay } from 'node:timers/promises';
import { AccessToken, type RoomConfiguration } from 'livekit-server-sdk';
import { Tone, TONE_CHANNELS, TONE_RATE_HZ } from './tone';

export interface LegOptions {
  /** Of the real server: `ws://…`. */
  url: string;
  apiKey: string;
  apiSecret: string;
  roomName: string;
  identity: string;
  name: string;
  metadata: string;
  attributes: Readonly<Record<string, string>>;
  /** Of a dispatch rule: made for the room if it is not there yet. */
  roomConfig?: RoomConfiguration | undefined;
  /** Whether it gets an event when somebody can be heard. */
  listens: boolean;
}

const STATUS = 'sip.callStatus';
const TOKEN_TTL = '24h';
const LEAVE_WITHIN_MS = 300;

export class Leg {
  private readonly room = new Room();
  private readonly source = new AudioSource(TONE_RATE_HZ, TONE_CHANNELS);
  private readonly tone = new Tone(this.source);
  private isOver = false;
  /** Resolves when the leg is in the room no more, for any reason. */
  readonly gone: Promise<DisconnectReason>;
  /** Resolves once somebody in the room can be heard. */
  readonly heard: Promise<void>;

  private constructor() {
    this.gone = new Promise((resolve) => {
      this.room.on(RoomEvent.Disconnected, (reason) => {
        this.close();
        resolve(reason);
      });
    });
    this.heard = new Promise((resolve) => this.room.on(RoomEvent.TrackSubscribed, () => resolve()));
  }

  /** In the room, with a track that is silent yet. */
  static async join(options: LegOptions, status: 'dialing' | 'ringing'): Promise<Leg> {
    const leg = new Leg();
    const token = await tokenOf(options, status);
    await leg.room.connect(options.url, token, { autoSubscribe: options.listens, dynacast: false });
    const track = LocalAudioTrack.createAudioTrack('sip', leg.source);
    const microphone = new TrackPublishOptions({ source: TrackSource.SOURCE_MICROPHONE });
    await leg.room.localParticipant?.publishTrack(track, microphone);
    return leg;
  }

  get participantId(): string {
    return this.room.localParticipant?.sid ?? '';
  }

  get roomMetadata(): string {
    return this.room.metadata ?? '';
  }

  /** Returns false where the leg is in the room no more. */
  async status(status: 'ringing' | 'active' | 'hangup'): Promise<boolean> {
    if (this.isOver) return false;
    try {
      await this.room.localParticipant?.setAttributes({ [STATUS]: status });
      return !this.isOver;
    } catch (error) {
      // What it is asked while the connection is lost, or in the moment before it ends.
      console.error(`sip stand-in: the call's status was not set: ${String(error)}`);
      return false;
    }
  }

  talk(): void {
    this.tone.start();
  }

  fallSilent(): void {
    this.tone.stop();
  }

  /** Leaves with the reason given; `disconnect()` of the library knows only its own. */
  async leave(reason: DisconnectReason): Promise<void> {
    if (this.isOver) return;
    const roomHandle = handleOf(this.room);
    if (roomHandle === null) throw new Error('the room is not connected');
    const value = new DisconnectRequest({ roomHandle, reason });
    livekitFfiRequest(new FfiRequest({ message: { case: 'disconnect', value } }).toBinary());
    // A leg that leaves in the moment after it joined gets no event that it is gone.
    await Promise.race([this.gone, delay(LEAVE_WITHIN_MS, undefined, { ref: false })]);
    this.close();
  }

  private close(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.tone.stop();
    void this.source.close();
  }
}

function tokenOf(options: LegOptions, status: string): Promise<string> {
  const token = new AccessToken(options.apiKey, options.apiSecret, {
    identity: options.identity,
    name: options.name,
    metadata: options.metadata,
    attributes: { ...options.attributes, [STATUS]: status },
    ttl: TOKEN_TTL,
  });
  token.kind = 'sip';
  token.roomConfig = options.roomConfig;
  token.addGrant({
    roomJoin: true,
    room: options.roomName,
    canSubscribe: true,
    canPublish: true,
    canPublishData: true,
    canUpdateOwnMetadata: true,
  });
  return token.toJwt();
}

/** The library keeps the handle to itself. */
function handleOf(room: Room): bigint | null {
  const kept: unknown = Reflect.get(room, 'ffiHandle');
  if (typeof kept !== 'object' || kept === null || !('handle' in kept)) return null;
  return typeof kept.handle === 'bigint' ? kept.handle : null;
}
