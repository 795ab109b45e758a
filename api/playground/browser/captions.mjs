/**
 * Shows live captions: one line per segment, and one for what each speaker is saying right now. A lost connection is resumed at the last
 * segment.
 *
 * @typedef {'agent' | 'user'} Speaker
 * @typedef {{ seq: number | null, speaker: Speaker, text: string, is_final: boolean, was_interrupted: boolean }} Segment
 * @typedef {object} CaptionsOptions
 * @property {string} address of the socket; its host is replaced by that of the page
 * @property {HTMLElement} list
 * @property {(isThinking: boolean) => void} thinking
 */

const COMES_BACK_MS = [0, 500, 1_000, 2_000, 5_000];
const CALL_ENDED = 1000;
/** The end of the call closes the socket. The last words arrive shortly before. */
const LINGERS_MS = 8_000;

/** @param {CaptionsOptions} options */
export const followCaptions = ({ address, list, thinking }) => {
  /** @type {Map<Speaker, HTMLElement>} */
  const unfinished = new Map();
  let [seq, attempts, isOver] = [0, 0, false];
  let socket = null;

  /** @param {Segment} segment */
  const show = ({ seq: place, speaker, text, is_final, was_interrupted }) => {
    if (is_final && place <= seq) return;
    if (speaker === 'agent') thinking(false);
    const line = unfinished.get(speaker) ?? newLine(list, speaker);
    unfinished.set(speaker, line);
    write(list, line, text, is_final);
    if (!is_final) return;
    seq = place;
    unfinished.delete(speaker);
    // Move the line above those that are still being spoken.
    const [other = null] = unfinished.values();
    if (line.nextSibling !== other) list.insertBefore(line, other);
    if (was_interrupted) cutShort(line);
  };

  /** @param {any} frame */
  const hear = (frame) => {
    switch (frame.type) {
      case 'history':
        return frame.segments.forEach(show);
      case 'transcript':
        return show(frame.segment);
      case 'agent_thinking':
        return thinking(true);
      case 'interrupted':
        thinking(false);
        return cutShort(unfinished.get('agent'));
      case 'turn_started':
        return frame.speaker === 'agent' && thinking(false);
      case 'call_ended':
        return thinking(false);
    }
  };

  const connect = () => {
    if (isOver) return;
    const { pathname } = new URL(address);
    const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:';
    socket = new WebSocket(`${scheme}//${location.host}${pathname}?after=${seq}`);
    socket.addEventListener('message', ({ data }) => {
      attempts = 0;
      hear(JSON.parse(data));
    });
    socket.addEventListener('close', ({ code }) => {
      if (code === CALL_ENDED) isOver = true;
      setTimeout(connect, COMES_BACK_MS[Math.min(attempts, COMES_BACK_MS.length - 1)]);
      attempts += 1;
    });
  };
  connect();

  return {
    /** Shows typed text immediately. The platform's own record replaces it. */
    typed: (text) => show({ seq: null, speaker: 'user', text, is_final: false, was_interrupted: false }),
    finish: () =>
      setTimeout(() => {
        isOver = true;
        socket?.close();
      }, LINGERS_MS),
  };
};

const newLine = (list, speaker) => {
  const line = document.createElement('div');
  line.className = `line ${speaker}`;
  const who = document.createElement('span');
  who.className = 'speaker';
  who.textContent = speaker === 'user' ? 'You' : 'Agent';
  line.append(who, document.createElement('p'));
  list.append(line);
  return line;
};

const write = (list, line, text, isFinal) => {
  line.querySelector('p').textContent = text;
  line.classList.toggle('interim', !isFinal);
  // Makes screen readers wait for the whole line.
  line.setAttribute('aria-busy', String(!isFinal));
  list.scrollTop = list.scrollHeight;
};

const cutShort = (line) => {
  if (line === undefined || line.querySelector('.cut') !== null) return;
  const cut = document.createElement('span');
  cut.className = 'cut';
  cut.textContent = 'interrupted';
  line.append(cut);
};
