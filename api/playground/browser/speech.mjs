/** What the agent says of itself: which of hearing, speaking and thinking it can, and what it lacks for the rest. */
const ATTRIBUTE = 'platform.speech';

/**
 * Calls `show` with it as soon as it is known, and again when it changes.
 *
 * @param {typeof import('livekit-client')} livekit
 * @param {import('livekit-client').Room} room
 * @param {(speech: Speech) => void} show
 *
 * @typedef {{ hears: boolean, speaks: boolean, thinks: boolean, missing: { part: string, why: string }[], models: { stt?: string, llm?: string, tts?: string } }} Speech
 */
export const watchSpeech = ({ RoomEvent }, room, show) => {
  let known = '';
  const look = () => {
    const [text] = [...room.remoteParticipants.values()].flatMap(
      ({ attributes }) => attributes[ATTRIBUTE] ?? [],
    );
    if (text === undefined || text === known) return;
    known = text;
    const speech = parsed(text);
    if (speech !== null) show(speech);
  };
  room
    .on(RoomEvent.Connected, look)
    .on(RoomEvent.ParticipantConnected, look)
    .on(RoomEvent.ParticipantAttributesChanged, look);
};

const parsed = (text) => {
  try {
    const { hears, speaks, thinks, missing, models } = JSON.parse(text);
    return { hears, speaks, thinks, missing: Array.isArray(missing) ? missing : [], models: models ?? {} };
  } catch {
    // Another release's: the conversation goes on without it.
    return null;
  }
};
