/**
 * Runs a session from the click to its end in the call history.
 *
 * @typedef {object} SessionOptions
 * @property {typeof import('livekit-client')} livekit
 * @property {import('./api.mjs').Api} api
 * @property {string} agentId
 * @property {boolean} withMicrophone
 * @property {HTMLElement} captions
 * @property {(isThinking: boolean) => void} thinking
 * @property {(speech: import('./speech.mjs').Speech) => void} speech called with the agent's abilities
 * @property {{ element: HTMLAudioElement, blocked: (isBlocked: boolean) => void }} audio
 * @property {(level: number) => void} level called with the microphone's volume, from 0 to 1
 * @property {(state: keyof typeof import('./words.mjs').STATES) => void} show called with each state
 *
 * @typedef {object} Course
 * @property {string | null} callId also the room's name; null until the call is made
 * @property {import('livekit-client').Room | null} room
 * @property {import('livekit-client').LocalAudioTrack | null} track
 * @property {ReturnType<typeof followCaptions> | null} following
 * @property {boolean} agentCame
 * @property {boolean} isOver no further states are shown
 * @property {(() => void)[]} undo
 * @property {(problem?: keyof typeof import('./words.mjs').PROBLEMS) => void} end
 *
 * @typedef {SessionOptions & Course} Session
 */
import { followCaptions } from './captions.mjs';
import { openMicrophone, watchLevel } from './microphone.mjs';
import { Problem } from './problem.mjs';
import { watchSpeech } from './speech.mjs';

/** Topic on which LiveKit's agents receive typed text. */
const CHAT_TOPIC = 'lk.chat';
const LOOK_EVERY_MS = 2_000;
/** Once a call has a line, the agent joins within a second or two. The platform gives up after a minute. */
const AGENT_COMES_WITHIN_MS = 45_000;
/** An agent that ends the conversation leaves, and then the room is closed. */
const ROOM_CLOSES_WITHIN_MS = 4_000;
const END_IS_RECORDED_WITHIN_MS = 10_000;

/**
 * `result` resolves with `{record}`, the ended call in the history or null, and rejects with a `Problem`. `stop()` ends the session; `leave()`
 * ends it while the page is being closed.
 *
 * @param {SessionOptions} options
 */
export const startSession = (options) => {
  let end;
  const over = new Promise((resolve, reject) => {
    end = (problem) => (problem === undefined ? resolve() : reject(new Problem(problem)));
  });
  /** @type {Session} */
  const session = {
    ...options,
    callId: null,
    room: null,
    track: null,
    following: null,
    agentCame: false,
    isOver: false,
    undo: [],
    end: (problem) => {
      session.isOver = true;
      end(problem);
    },
    show: (state) => {
      if (!session.isOver) options.show(state);
    },
  };

  const run = async () => {
    try {
      await Promise.race([over, join(session)]);
      await over;
    } finally {
      session.isOver = true;
      for (const each of session.undo.reverse()) each();
      await closeCall(session);
    }
    return { record: await recordOfEnd(session) };
  };

  return {
    result: run(),
    stop: () => {
      session.show('stopping');
      session.end();
    },
    leave: () => void closeCall(session),
    setMuted: (isMuted) => void (isMuted ? session.track?.mute() : session.track?.unmute()),
    hearAgent: () => void session.room?.startAudio(),
    /** Returns false if the text could not be sent. */
    say: async (text) => {
      if (!session.agentCame || session.isOver) return false;
      try {
        await session.room.localParticipant.sendText(text, { topic: CHAT_TOPIC });
      } catch {
        // The connection is lost. The page reports it if it isn't restored.
        return false;
      }
      session.following?.typed(text);
      return true;
    },
  };
};

/**
 * The session can end at any point. Each step undoes what it did after the end.
 *
 * @param {Session} session
 */
const join = async (session) => {
  const { livekit, api, captions: list, thinking } = session;
  if (session.withMicrophone) await takeMicrophone(session);
  if (session.isOver) return;
  session.show('starting');
  const { token, room_name, connection_url, live_captions_url } = await api.openSession(session.agentId);
  session.callId = room_name;
  if (session.isOver) return closeCall(session);
  const room = new livekit.Room();
  session.room = room;
  session.undo.push(() => void room.disconnect());
  listen(session);
  watchSpeech(livekit, room, session.speech);
  const following = followCaptions({ address: live_captions_url, list, thinking });
  session.following = following;
  session.undo.push(() => void following.finish());
  try {
    await room.connect(connection_url, token);
    if (session.track !== null)
      await room.localParticipant.publishTrack(session.track, { source: livekit.Track.Source.Microphone });
  } catch (cause) {
    throw new Problem('cannotJoin', { cause });
  }
  if (!session.agentCame) watchForAgent(session);
};

/** @param {Session} session */
const takeMicrophone = async (session) => {
  session.show('microphone');
  const track = await openMicrophone(session.livekit);
  if (session.isOver) return track.stop();
  session.track = track;
  session.undo.push(() => track.stop(), watchLevel(session.livekit, track, session.level));
};

/** @param {Session} session */
const conversing = ({ withMicrophone }) => (withMicrophone ? 'talking' : 'writing');

/** @param {Session} session */
const listen = (session) => {
  const { livekit, room, audio, show } = session;
  const { ConnectionState, RoomEvent, Track } = livekit;
  let hasJoined = false;
  const isAlone = () => room.remoteParticipants.size === 0;
  const look = () => {
    hasJoined = true;
    if (isAlone() || session.agentCame) return;
    session.agentCame = true;
    show(conversing(session));
  };
  // Without a connection no participant is visible, which doesn't mean that the agent left.
  const missAgent = () => {
    const isMissing = () => session.agentCame && isAlone() && room.state === ConnectionState.Connected;
    setTimeout(() => isMissing() && session.end('agentLost'), ROOM_CLOSES_WITHIN_MS);
  };
  room
    .on(RoomEvent.Connected, look)
    .on(RoomEvent.ParticipantConnected, look)
    .on(RoomEvent.ParticipantDisconnected, missAgent)
    .on(RoomEvent.TrackSubscribed, (track) => {
      if (track.kind === Track.Kind.Audio) track.attach(audio.element);
    })
    .on(RoomEvent.AudioPlaybackStatusChanged, () => audio.blocked(!room.canPlaybackAudio))
    .on(RoomEvent.Reconnecting, () => show('reconnecting'))
    .on(RoomEvent.SignalReconnecting, () => show('reconnecting'))
    .on(RoomEvent.Reconnected, () => {
      show(session.agentCame ? conversing(session) : 'calling');
      missAgent();
    })
    .on(RoomEvent.Disconnected, (reason) => {
      // A failed attempt to join reports its own error.
      if (hasJoined) session.end(problemOfLeaving(livekit, reason));
    });
};

/**
 * Returns undefined if the conversation ended normally.
 *
 * @param {typeof import('livekit-client')} livekit
 * @param {import('livekit-client').DisconnectReason} [reason]
 */
const problemOfLeaving = ({ DisconnectReason }, reason) => {
  switch (reason) {
    case DisconnectReason.CLIENT_INITIATED:
    case DisconnectReason.ROOM_DELETED:
    case DisconnectReason.ROOM_CLOSED:
    case DisconnectReason.PARTICIPANT_REMOVED:
      return undefined;
    case DisconnectReason.DUPLICATE_IDENTITY:
      return 'otherWindow';
    default:
      return 'connectionLost';
  }
};

/**
 * Shows why the agent hasn't joined yet: the call is queued, or the agent doesn't come.
 *
 * @param {Session} session
 */
const watchForAgent = (session) => {
  const { api, callId, agentId } = session;
  let missingSince = Date.now();
  const look = async () => {
    try {
      const call = await api.call(callId, agentId);
      const isQueued = call?.callStatus === 'queued' && (await api.linesAreFull());
      if (session.agentCame || session.isOver) return;
      if (call?.isOver) return session.end(call.callStatus === 'expired' ? 'noLine' : 'agentAbsent');
      if (isQueued) missingSince = Date.now();
      if (Date.now() - missingSince > AGENT_COMES_WITHIN_MS) return session.end('agentAbsent');
      session.show(isQueued ? 'queued' : 'calling');
    } catch (error) {
      // Other errors may be temporary, so look again.
      if (error.problem === 'keyRefused') return session.end('keyRefused');
    }
    timer = setTimeout(look, LOOK_EVERY_MS);
  };
  session.show('calling');
  let timer = setTimeout(look, LOOK_EVERY_MS / 2);
  session.undo.push(() => clearTimeout(timer));
};

/**
 * Leaving the room ends a conversation. A call without an agent must be hung up, because it would keep waiting.
 *
 * @param {Session} session
 */
const closeCall = async ({ api, callId, agentCame }) => {
  if (callId !== null && !agentCame) await api.hangUp(callId).catch(() => undefined);
};

/** @param {Session} session */
const recordOfEnd = async ({ api, callId, agentId }) => {
  if (callId === null) return null;
  const deadline = Date.now() + END_IS_RECORDED_WITHIN_MS;
  while (Date.now() < deadline) {
    const call = await api.call(callId, agentId).catch(() => null);
    if (call?.isOver) return call;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS / 4));
  }
  // The end was not reported. Hang up, so that the line isn't held.
  await api.hangUp(callId).catch(() => undefined);
  return null;
};
