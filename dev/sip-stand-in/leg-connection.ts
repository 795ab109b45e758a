/** A leg's connection to its room. The library resumes a lost connection; a leg that must rejoin opens a new one. */
import { DisconnectRequest, FfiRequest, livekitFfiRequest } from '@livekit/rtc-ffi-bindings';
import {
  DisconnectReason,
  LocalAudioTrack,
  Room,
  RoomEvent,
  TrackPublishOptions,
  TrackSource,
  type AudioSource,
} from '@livekit/rtc-node';
import { setTimeout as delay } from 'node:timers/promises';
import { AccessToken, type RoomConfiguration } from 'livekit-server-sdk';

export interface LegOptions {
  /** URL of the real server, `ws://…`. */
  url: string;
  apiKey: string;
  apiSecret: string;
  roomName: string;
  identity: string;
  name: string;
  metadata: string;
  attributes: Readonly<Record<string, string>>;
  /** Options from the dispatch rule, for a room that doesn't exist yet. */
  roomConfig?: RoomConfiguration | undefined;
  /** True if the leg must learn when another participant becomes audible. */
  listens: boolean;
  /** The phone sends no audio packets, not even silence. */
  sendsNothing?: boolean;
}

/** RPC method of livekit-sip that returns headers of the callee's answer, so it doesn't respond before the callee answers. */
const ASK_ANSWER = 'lk.sip.GetRemoteHeaders';
/**
 * RPC method of livekit-sip that hangs up. livekit-sip waits for the callee's answer, sends a BYE and leaves the room before it can
 * respond.
 */
const END_CALL = 'lk.sip.EndCall';
const TOKEN_TTL = '24h';
const LEAVE_TIMEOUT_MS = 300;
/** If the room takes longer than this to store an attribute, its connection is being lost. */
const SET_TIMEOUT_MS = 5_000;

/** Operations on the call that participants in the room can use. */
interface CallOfLeg {
  answered: Promise<void>;
  endCall(): Promise<void>;
}

export class LegConnection {
  private readonly room = new Room();
  private lastSet: Promise<boolean> = Promise.resolve(true);
  private isLeft = false;
  private isResuming = false;
  private resolveGone: (reason: DisconnectReason) => void = () => undefined;
  /** Resolves when the room has ended the connection. */
  readonly gone = new Promise<DisconnectReason>((resolve) => (this.resolveGone = resolve));
  private resolveLost: () => void = () => undefined;
  /** Resolves when the connection was lost and not resumed in time. */
  readonly lost = new Promise<void>((resolve) => (this.resolveLost = resolve));
  /** Resolves once another participant in the room is audible. */
  readonly heard: Promise<void>;

  private constructor() {
    this.heard = new Promise((resolve) => this.room.on(RoomEvent.TrackSubscribed, () => resolve()));
    this.room.on(RoomEvent.Disconnected, (reason) => {
      if (!this.isLeft) this.resolveGone(reason);
      this.isLeft = true;
    });
    this.room.on(RoomEvent.Reconnecting, () => void this.resume());
    this.room.on(RoomEvent.Reconnected, () => (this.isResuming = false));
  }

  /** Joins the room with a track of the audio source. An RPC for the remote headers waits for the callee's answer. */
  static async open(options: LegOptions, source: AudioSource, call: CallOfLeg): Promise<LegConnection> {
    const connection = new LegConnection();
    const { room } = connection;
    await room.connect(options.url, await tokenOf(options), {
      autoSubscribe: options.listens,
      dynacast: false,
    });
    try {
      await connection.publish(source);
    } catch (error) {
      if (await connection.hasJustGone()) return connection;
      // Without this, the connection would resume later, next to its replacement.
      await connection.leave(DisconnectReason.UNKNOWN_REASON);
      throw error;
    }
    room.localParticipant?.registerRpcMethod(ASK_ANSWER, async () => {
      await call.answered;
      return JSON.stringify({ headers: { 'Call-ID': options.attributes['sip.callID'] ?? '' } });
    });
    room.localParticipant?.registerRpcMethod(END_CALL, async () => {
      await call.answered;
      await call.endCall();
      return '{}';
    });
    return connection;
  }

  get participantId(): string {
    return this.room.localParticipant?.sid ?? '';
  }

  get roomMetadata(): string {
    return this.room.metadata ?? '';
  }

  /**
   * Resolves to true if the room has stored the attributes. Calls run one after the other, so that a late `ringing` can't overwrite the
   * answer.
   */
  set(attributes: Readonly<Record<string, string>>): Promise<boolean> {
    this.lastSet = this.lastSet.then(() => this.setNow(attributes));
    return this.lastSet;
  }

  private async setNow(attributes: Readonly<Record<string, string>>): Promise<boolean> {
    if (this.isLeft || this.isResuming) return false;
    try {
      const isSet = this.room.localParticipant?.setAttributes(attributes).then(() => true);
      return await Promise.race([isSet ?? false, delay(SET_TIMEOUT_MS, false, { ref: false })]);
    } catch (error) {
      // The connection may be lost or end during the request.
      console.error(`sip stand-in: attributes of a call were not set: ${String(error)}`);
      return false;
    }
  }

  /** Leaves with the given reason, which the library's own `disconnect()` doesn't support. */
  async leave(reason: DisconnectReason): Promise<void> {
    if (this.isLeft) return;
    this.isLeft = true;
    const roomHandle = handleOf(this.room);
    if (roomHandle === null) throw new Error('the room is not connected');
    const left = new Promise((resolve) => this.room.on(RoomEvent.Disconnected, resolve));
    const value = new DisconnectRequest({ roomHandle, reason });
    livekitFfiRequest(new FfiRequest({ message: { case: 'disconnect', value } }).toBinary());
    // A leg that leaves right after joining gets no event for it.
    await Promise.race([left, delay(LEAVE_TIMEOUT_MS, undefined, { ref: false })]);
  }

  /** Also resolves if the room has ended. In rtc-node 0.13.35, `publishTrack` into a deleted room may take ten seconds to fail. */
  private async publish(source: AudioSource): Promise<void> {
    const track = LocalAudioTrack.createAudioTrack('sip', source);
    const microphone = new TrackPublishOptions({ source: TrackSource.SOURCE_MICROPHONE });
    await Promise.race([this.room.localParticipant?.publishTrack(track, microphone), this.gone]);
  }

  /** When the room ends, a request may fail some milliseconds before the event arrives. */
  private hasJustGone(): Promise<boolean> {
    const isGone = this.gone.then(() => true);
    return Promise.race([isGone, delay(LEAVE_TIMEOUT_MS, false, { ref: false })]);
  }

  private async resume(): Promise<void> {
    if (this.isResuming || this.isLeft) return;
    this.isResuming = true;
    await delay(RESUME_TIMEOUT_MS, undefined, { ref: false });
    if (this.isResuming && !this.isLeft) this.resolveLost();
  }
}

function tokenOf(options: LegOptions): Promise<string> {
  const token = new AccessToken(options.apiKey, options.apiSecret, {
    identity: options.identity,
    name: options.name,
    metadata: options.metadata,
    attributes: { ...options.attributes },
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

/** The library doesn't expose the handle. */
function handleOf(room: Room): bigint | null {
  const kept: unknown = Reflect.get(room, 'ffiHandle');
  if (typeof kept !== 'object' || kept === null || !('handle' in kept)) return null;
  return typeof kept.handle === 'bigint' ? kept.handle : null;
}

/**
 * Imitates how server-sdk-go, and therefore livekit-sip, returns to a room after its connection was lost (`handleDisconnect` in its
 * `engine.go`).
 */

/** livekit-sip v1.10.0 first tries to resume and begins to rejoin about 2.5 s after the loss. */
const RESUME_TIMEOUT_MS = 2_500;
/** Includes the resume, which is the first attempt. */
const ATTEMPTS = 10;
const PAUSE_MS = 300;

/** Pause after the n-th attempt. The attempts take place 2.5, 2.5, 2.8, 4, 6.7, 11.5, 19, 30, 45 and 64 s after the loss. */
const pauseAfterMs = (attempt: number): number => attempt * attempt * PAUSE_MS;

/** Returns true once an attempt succeeds, or false if all failed or the call ended. */
export async function rejoin(
  join: () => Promise<void>,
  isOver: () => boolean,
  pause: (ms: number) => Promise<unknown> = (ms) => delay(ms, undefined, { ref: false }),
): Promise<boolean> {
  for (let attempt = 1; attempt < ATTEMPTS; attempt += 1) {
    if (isOver()) return false;
    try {
      await join();
      return true;
    } catch (error) {
      console.error(`sip stand-in: attempt ${attempt} to rejoin a room failed: ${String(error)}`);
    }
    if (attempt < ATTEMPTS - 1) await pause(pauseAfterMs(attempt));
  }
  return false;
}
