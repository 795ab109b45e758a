/** What is said, as it comes: one line for each segment, whose text grows or is put right until it is final. */
const TOPIC = 'lk.transcription';

/** @param {import('livekit-client').Room} room @param {HTMLElement} list */
export const showCaptions = (room, list) => {
  const lines = new Map();

  const lineOf = (id, isUser) => {
    const known = lines.get(id);
    if (known !== undefined) return known;
    const line = document.createElement('div');
    line.className = isUser ? 'line user' : 'line agent';
    const speaker = document.createElement('span');
    speaker.className = 'speaker';
    speaker.textContent = isUser ? 'You' : 'Agent';
    const words = document.createElement('p');
    line.append(speaker, words);
    list.append(line);
    lines.set(id, line);
    return line;
  };

  const write = (line, text, isFinal) => {
    line.querySelector('p').textContent = text;
    line.classList.toggle('interim', !isFinal);
    // A screen reader waits for the whole of it.
    line.setAttribute('aria-busy', String(!isFinal));
    list.scrollTop = list.scrollHeight;
  };

  room.registerTextStreamHandler(TOPIC, async (reader, { identity }) => {
    const { id, attributes = {} } = reader.info;
    const isUser = identity === room.localParticipant.identity;
    const segment = `${isUser ? 'user' : 'agent'} ${attributes['lk.segment_id'] ?? id}`;
    let text = '';
    for await (const chunk of reader) {
      text += chunk;
      if (text.trim() !== '') write(lineOf(segment, isUser), text, false);
    }
    const isFinal = attributes['lk.transcription_final'] !== 'false';
    if (text.trim() !== '') write(lineOf(segment, isUser), text, isFinal);
  });
};
