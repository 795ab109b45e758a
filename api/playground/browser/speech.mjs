/** The agent's own report of its abilities: hearing, speaking and thinking, and what it lacks. */
const ATTRIBUTE = 'platform.speech';

/**
 * Calls `show` with the abilities as soon as they are known and whenever they change.
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
    // The agent may be of another release. The conversation works without this.
    return null;
  }
};
