import { useEffect, useRef, useState } from 'react';
import type { Room } from 'livekit-client';
import { ApiError } from '../../../sdk/typescript/errors';
import { sentenceOf } from '../parts/problem-text';
import { openListeningSession } from './queries';

type Listening = 'off' | 'connecting' | 'on';

/** Plays the audio of a live call. Neither side notices the listener. */
export function ListenIn({ callId }: { callId: string }) {
  const [listening, setListening] = useState<Listening>('off');
  const [problem, setProblem] = useState<string | null>(null);
  const room = useRef<Room>(null);
  const speakers = useRef<HTMLSpanElement>(null);

  const stop = (): void => {
    const joined = room.current;
    room.current = null;
    setListening('off');
    void joined?.disconnect();
  };
  useEffect(() => () => void room.current?.disconnect(), []);

  const start = async (): Promise<void> => {
    setProblem(null);
    setListening('connecting');
    try {
      room.current = await joined(callId, { play: (sound) => speakers.current?.append(sound), onEnd: stop });
      setListening('on');
    } catch (error) {
      setListening('off');
      setProblem(whyNot(error));
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
async function joined(callId: string, { play, onEnd }: Listener): Promise<Room> {
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

const OTHER_CARRIER: readonly string[] = ['CALL_NOT_AUDIBLE', 'REALTIME_NOT_CONFIGURED'];

function whyNot(error: unknown): string {
  if (error instanceof ApiError && OTHER_CARRIER.includes(error.code))
    return 'You can listen in only to calls over LiveKit. The simulator and HTTP carriers send no audio.';
  return sentenceOf(error);
}
