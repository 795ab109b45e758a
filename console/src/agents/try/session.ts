/** Runs a session from the click on its start button until the call history shows its end. */
import type * as livekitClient from 'livekit-client';
import type { DisconnectReason, LocalAudioTrack, Room } from 'livekit-client';
import type { CaptionFrame } from '../../../../sdk/typescript/generated';
import { api } from '../../api/client';
import { liveCaptions } from '../../api/live';
import { hangUp, languageOf, openBrowserSession, typeInto } from '../browser-session';
import { SessionProblem, type Abilities, type ProblemName, type State } from './words';

const CHECK_EVERY_MS = 2_000;
/** The agent usually joins within two seconds after the call gets a line. The platform gives up after a minute. */
const AGENT_JOIN_TIMEOUT_MS = 45_000;
/** When the agent ends the conversation, it leaves the room, which closes shortly afterwards. */
const ROOM_CLOSE_TIMEOUT_MS = 4_000;
const END_RECORD_TIMEOUT_MS = 10_000;
/** How long the captions stay connected after the session, because the last words can arrive late. */
const CAPTIONS_LINGER_MS = 8_000;
/** Reconnects the captions until the call is over. */
const CAPTION_RETRIES = { attempts: Infinity, maxMs: 5_000 };

type LiveKit = typeof livekitClient;

export interface SessionEvents {
  onState: (state: State) => void;
  onCaption: (frame: CaptionFrame) => void;
  onAbilities: (abilities: Abilities) => void;
  /** Called with the microphone's volume, from 0 to 1. */
  onLevel: (level: number) => void;
  /** Called when the browser starts or stops blocking playback. The user must press a button to unblock it. */
  onBlocked: (isBlocked: boolean) => void;
}

export interface SessionOptions extends SessionEvents {
  agentId: string;
  withMicrophone: boolean;
  /** Element that plays the agent's voice. */
  audio: HTMLAudioElement;
}

interface Call {
  status: string;
  durationMs: number;
  isOver: boolean;
}

export class Session {
  /** Resolves with the ended call, or with null if its end wasn't recorded. Rejects with a `SessionProblem` or an API error. */
  readonly result: Promise<Call | null>;
  private end: (problem?: ProblemName) => void = () => undefined;
  /** Also the room name. Null until the call is created. */
  private callId: string | null = null;
  private room: Room | null = null;
  private track: LocalAudioTrack | null = null;
  private hasAgentJoined = false;
  /** Once true, no further states are shown. */
  private isOver = false;
  private readonly cleanups: (() => void)[] = [];

  constructor(private readonly options: SessionOptions) {
    const over = new Promise<void>((resolve, reject) => {
      this.end = (problem) => {
        this.isOver = true;
        if (problem === undefined) resolve();
        else reject(new SessionProblem(problem));
      };
    });
    this.result = this.run(over);
  }

  stop(): void {
    this.show('stopping');
    this.end();
  }

  /** Ends the session when the page is closed. */
  leave(): void {
    void this.closeCall();
  }

  setMuted(isMuted: boolean): void {
    void (isMuted ? this.track?.mute() : this.track?.unmute());
  }

  /** Starts playback of the agent's voice that the browser has blocked. Call this from a click handler. */
  unblock(): void {
    void this.room?.startAudio();
  }

  /** Returns false if the text couldn't be sent. */
  async say(text: string): Promise<boolean> {
    if (this.room === null || !this.hasAgentJoined || this.isOver) return false;
    try {
      await typeInto(this.room, text);
      return true;
    } catch {
      // The connection was lost. The page reports this unless it reconnects.
      return false;
    }
  }

  private async run(over: Promise<void>): Promise<Call | null> {
    try {
      await Promise.race([over, this.join()]);
      await over;
    } finally {
      this.isOver = true;
      for (const each of this.cleanups.reverse()) each();
      await this.closeCall();
    }
    return this.endedCall();
  }

  /** The session can end during any step, so each step checks for that and undoes its own work. */
  private async join(): Promise<void> {
    const { agentId, withMicrophone } = this.options;
    this.show(withMicrophone ? 'microphone' : 'starting');
    const livekit = await import('livekit-client');
    if (this.isOver) return;
    // Opens the microphone first, so that no call is created if there is no microphone.
    if (withMicrophone) await this.openMicrophone(livekit);
    if (this.isOver) return;
    this.show('starting');
    const { callId, url, token } = await openBrowserSession({
      agentId,
      language: await readLanguage(agentId),
    });
    this.callId = callId;
    if (this.isOver) return this.closeCall();
    const room = new livekit.Room();
    this.room = room;
    this.cleanups.push(() => void room.disconnect());
    this.listen(livekit, room);
    watchAbilities(livekit, room, this.options.onAbilities);
    this.followCaptions(callId);
    try {
      await room.connect(url, token);
      if (this.track !== null)
        await room.localParticipant.publishTrack(this.track, { source: livekit.Track.Source.Microphone });
    } catch (cause) {
      throw new SessionProblem('cannotJoin', { cause });
    }
    if (!this.hasAgentJoined) this.watchForAgent(callId);
  }

  private async openMicrophone(livekit: LiveKit): Promise<void> {
    const track = await openMicrophone(livekit);
    if (this.isOver) return track.stop();
    this.track = track;
    this.cleanups.push(() => track.stop(), watchLevel(livekit, track, this.options.onLevel));
  }

  private listen({ ConnectionState, DisconnectReason, RoomEvent, Track }: LiveKit, room: Room): void {
    const { audio, onBlocked } = this.options;
    let hasJoined = false;
    const isAlone = () => room.remoteParticipants.size === 0;
    const checkForAgent = (): void => {
      hasJoined = true;
      if (isAlone() || this.hasAgentJoined) return;
      this.hasAgentJoined = true;
      this.showConversation();
    };
    // A disconnected room lists no participants, which doesn't mean that the agent has left.
    const checkIfAgentLeft = (): void => {
      const hasLeft = () => this.hasAgentJoined && isAlone() && room.state === ConnectionState.Connected;
      setTimeout(() => hasLeft() && this.end('agentLost'), ROOM_CLOSE_TIMEOUT_MS);
    };
    const showReconnecting = () => this.show('reconnecting');
    room
      .on(RoomEvent.Connected, checkForAgent)
      .on(RoomEvent.ParticipantConnected, checkForAgent)
      .on(RoomEvent.ParticipantDisconnected, checkIfAgentLeft)
      .on(RoomEvent.TrackSubscribed, (track) => {
        if (track.kind === Track.Kind.Audio) track.attach(audio);
      })
      .on(RoomEvent.AudioPlaybackStatusChanged, () => onBlocked(!room.canPlaybackAudio))
      .on(RoomEvent.Reconnecting, showReconnecting)
      .on(RoomEvent.SignalReconnecting, showReconnecting)
      .on(RoomEvent.Reconnected, () => {
        this.showConversation();
        checkIfAgentLeft();
      })
      .on(RoomEvent.Disconnected, (reason) => {
        // If joining fails, `join()` reports the error.
        if (hasJoined) this.end(problemOfDisconnect(DisconnectReason, reason));
      });
  }

  private followCaptions(callId: string): void {
    const stop = new AbortController();
    this.cleanups.push(() => void setTimeout(() => stop.abort(), CAPTIONS_LINGER_MS));
    const follow = async (): Promise<void> => {
      const frames = liveCaptions(callId, { signal: stop.signal, retries: CAPTION_RETRIES });
      for await (const frame of frames) this.options.onCaption(frame);
    };
    // `follow` rejects only when `stop` is aborted.
    void follow().catch(() => undefined);
  }

  /** Shows whether the call is still queued, and ends the session if the agent doesn't join in time. */
  private watchForAgent(callId: string): void {
    let missingSince = Date.now();
    const check = async (): Promise<void> => {
      const call = await callOf(callId);
      const isQueued = call?.status === 'queued' && (await linesAreFull());
      if (this.hasAgentJoined || this.isOver) return;
      if (call?.isOver) return this.end(call.status === 'expired' ? 'noLine' : 'agentAbsent');
      if (isQueued) missingSince = Date.now();
      if (Date.now() - missingSince > AGENT_JOIN_TIMEOUT_MS) return this.end('agentAbsent');
      this.show(isQueued ? 'queued' : 'calling');
    };
    const poll = (): void => {
      if (this.hasAgentJoined || this.isOver) return;
      // Ignores errors and polls again, because the errors may be temporary.
      const checked = check().catch(() => undefined);
      void checked.then(() => (timer = setTimeout(poll, CHECK_EVERY_MS)));
    };
    this.show('calling');
    let timer = setTimeout(poll, CHECK_EVERY_MS / 2);
    this.cleanups.push(() => clearTimeout(timer));
  }

  /** Hangs up a call that no agent has joined, because the call would keep waiting. If an agent has joined, leaving the room is enough. */
  private async closeCall(): Promise<void> {
    if (this.callId !== null && !this.hasAgentJoined) await hangUp(this.callId);
  }

  private async endedCall(): Promise<Call | null> {
    if (this.callId === null) return null;
    const deadline = Date.now() + END_RECORD_TIMEOUT_MS;
    while (Date.now() < deadline) {
      const call = await callOf(this.callId).catch(() => null);
      if (call?.isOver) return call;
      await new Promise((resolve) => setTimeout(resolve, CHECK_EVERY_MS / 4));
    }
    // The call history shows no end, so hang up to free the line.
    await hangUp(this.callId);
    return null;
  }

  private showConversation(): void {
    if (!this.hasAgentJoined) return this.show('calling');
    this.show(this.options.withMicrophone ? 'talking' : 'writing');
  }

  private show(state: State): void {
    if (!this.isOver) this.options.onState(state);
  }
}

/** Returns an empty string if the agent can't be loaded, because the dispatch then reports the reason. */
async function readLanguage(agentId: string): Promise<string> {
  const agent = await api.get('/api/agent/{agent_id}', { path: { agent_id: agentId } }).catch(() => null);
  return agent === null ? '' : languageOf(agent);
}

async function callOf(callId: string): Promise<Call | null> {
  const { data } = await api.get('/api/call-history', { query: { call_id: callId } });
  const [call] = data;
  if (call === undefined) return null;
  return { status: call.call_status, durationMs: call.duration_ms, isOver: call.End_time !== null };
}

/** Returns true if calls are waiting because all lines are in use. */
async function linesAreFull(): Promise<boolean> {
  const limits = await api.get('/api/limits');
  return limits.waiting_calls > 0 && limits.live_calls >= limits.max_concurrency;
}

/** Returns undefined if the conversation ended normally. */
function problemOfDisconnect(
  reasons: LiveKit['DisconnectReason'],
  reason: DisconnectReason | undefined,
): ProblemName | undefined {
  switch (reason) {
    case reasons.CLIENT_INITIATED:
    case reasons.ROOM_DELETED:
    case reasons.ROOM_CLOSED:
    case reasons.PARTICIPANT_REMOVED:
      return undefined;
    case reasons.DUPLICATE_IDENTITY:
      return 'otherWindow';
    default:
      return 'connectionLost';
  }
}

const MICROPHONE_PROBLEMS: Readonly<Record<string, ProblemName>> = {
  NotAllowedError: 'microphoneBlocked',
  SecurityError: 'microphoneBlocked',
  NotFoundError: 'microphoneMissing',
  OverconstrainedError: 'microphoneMissing',
  NotReadableError: 'microphoneBusy',
  AbortError: 'microphoneBusy',
};

async function openMicrophone(livekit: LiveKit): Promise<LocalAudioTrack> {
  if (!window.isSecureContext) throw new SessionProblem('microphoneInsecure');
  try {
    return await livekit.createLocalAudioTrack({
      echoCancellation: true,
      noiseSuppression: true,
      autoGainControl: true,
    });
  } catch (cause) {
    const name = cause instanceof Error ? cause.name : '';
    throw new SessionProblem(MICROPHONE_PROBLEMS[name] ?? 'microphoneMissing', { cause });
  }
}

/** Reports the track's volume (0 to 1) through `show`. Call the returned function to stop. */
function watchLevel(livekit: LiveKit, track: LocalAudioTrack, show: SessionOptions['onLevel']): () => void {
  const { calculateVolume, cleanup } = livekit.createAudioAnalyser(track, { smoothingTimeConstant: 0.6 });
  const timer = setInterval(() => show(Math.min(1, calculateVolume() * 1.6)), 60);
  return () => {
    clearInterval(timer);
    show(0);
    void cleanup();
  };
}

/** Participant attribute in which the agent reports its abilities. */
const ABILITIES = 'platform.speech';

/** Calls `show` with the agent's abilities as soon as they are known and whenever they change. */
function watchAbilities({ RoomEvent }: LiveKit, room: Room, show: SessionOptions['onAbilities']): void {
  let lastText: string | undefined;
  const check = (): void => {
    const [text] = [...room.remoteParticipants.values()].flatMap(
      ({ attributes }) => attributes[ABILITIES] ?? [],
    );
    if (text === undefined || text === lastText) return;
    lastText = text;
    const abilities = parsed(text);
    if (abilities !== null) show(abilities);
  };
  room
    .on(RoomEvent.Connected, check)
    .on(RoomEvent.ParticipantConnected, check)
    .on(RoomEvent.ParticipantAttributesChanged, check);
}

function parsed(text: string): Abilities | null {
  try {
    const { missing, models, ...abilities } = JSON.parse(text) as Abilities;
    return { ...abilities, missing: Array.isArray(missing) ? missing : [], models: models ?? {} };
  } catch {
    // An agent of another release may report its abilities in another format. The conversation works without them.
    return null;
  }
}
