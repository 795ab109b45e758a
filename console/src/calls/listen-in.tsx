import { useEffect, useRef, useState } from 'react';
import type { Room } from 'livekit-client';
import { ApiError } from '../../../sdk/typescript/errors';
import { sentenceOf } from '../parts/problem-text';
import { openListeningSession } from './queries';

type Listening = 'off' | 'connecting' | 'on';

/** Of a call that is talked: the sound of its room. Neither of the two notices a listener. */
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
  on: 'You hear the call. Nobody hears you.',
};

interface Listener {
  play: (sound: HTMLMediaElement) => void;
  /** Also when the call ends. */
  onEnd: () => void;
}

/** The client of LiveKit is loaded with the first call that somebody listens to. */
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
    return 'Only calls over LiveKit can be heard here. The simulator and carriers over HTTP send the words without the sound.';
  return sentenceOf(error);
}
