import { useEffect, useRef, useState } from 'react';
import type { Room } from 'livekit-client';
import { ApiError } from '../../../sdk/typescript/errors';
import { sentenceOf } from '../parts/problem-text';
import { openListeningSession } from './queries';

type Listening = 'off' | 'connecting' | 'on';

/** Plays a live call's audio. Neither side notices the listener. */
export function ListenIn({ callId }: { callId: string }) {
  const [listening, setListening] = useState<Listening>('off');
  const [problem, setProblem] = useState<string | null>(null);
  const room = useRef<Room>(null);
  const speakers = useRef<HTMLSpanElement>(null);

  const stop = (): void => {
    const left = room.current;
    room.current = null;
    setListening('off');
    void left?.disconnect();
  };
  useEffect(() => () => void room.current?.disconnect(), []);

  const start = async (): Promise<void> => {
    setProblem(null);
    setListening('connecting');
    try {
      const play = (sound: HTMLMediaElement): void => speakers.current?.append(sound);
      room.current = await join(callId, { play, onEnd: stop });
      setListening('on');
    } catch (error) {
      setListening('off');
      setProblem(problemOf(error));
    }
  };

  return (
    <div className="listen">
      {listening === 'off' ? (
        <button type="button" className="button" onClick={() => void start()}>
          Listen in
        </button>
      ) : (
        <button type="button" className="button" disabled={listening === 'connecting'} onClick={stop}>
          Stop listening
        </button>
      )}
      <span className="soft small" role="status">
        {problem ?? WORDS[listening]}
      </span>
      <span ref={speakers} />
    </div>
  );
}

const WORDS: Record<Listening, string> = {
  off: '',
  connecting: 'Connecting…',
  on: 'You can hear the call. Neither side can hear you.',
};

interface Listener {
  play: (sound: HTMLMediaElement) => void;
  /** Called when the connection or the call ends. */
  onEnd: () => void;
}

/** Joins the call's room. Loads LiveKit's client on first use. */
async function join(callId: string, { play, onEnd }: Listener): Promise<Room> {
  const [{ Room, RoomEvent, Track }, session] = await Promise.all([
    import('livekit-client'),
    openListeningSession(callId),
  ]);
  const room = new Room();
  room.on(RoomEvent.TrackSubscribed, (track) => {
    if (track.kind === Track.Kind.Audio) play(track.attach());
  });
  room.on(RoomEvent.TrackUnsubscribed, (track) => track.detach().forEach((sound) => sound.remove()));
  room.on(RoomEvent.Disconnected, onEnd);
  await room.connect(session.connection_url, session.token);
  await room.startAudio();
  return room;
}

const NO_AUDIO_CODES: readonly string[] = ['CALL_NOT_AUDIBLE', 'REALTIME_NOT_CONFIGURED'];

function problemOf(error: unknown): string {
  if (error instanceof ApiError && NO_AUDIO_CODES.includes(error.code))
    return 'You can only listen in on LiveKit calls. The simulator and HTTP carriers don’t provide audio.';
  return sentenceOf(error);
}
