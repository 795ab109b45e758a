/** All texts of the page. The tone sets the colour of the dot beside a state. */

export const STATES = {
  ready: { tone: 'idle', text: () => 'Ready.' },
  microphone: { tone: 'busy', text: () => 'Allow the microphone when your browser asks.' },
  starting: { tone: 'busy', text: () => 'Starting the session…' },
  queued: {
    tone: 'wait',
    text: () => 'All lines are in use. The agent will join when a line is free.',
  },
  calling: { tone: 'busy', text: ({ agent }) => `Waiting for ${agent}…` },
  talking: { tone: 'live', text: ({ agent }) => `You are talking to ${agent}.` },
  writing: { tone: 'live', text: ({ agent }) => `You are writing to ${agent}.` },
  reconnecting: { tone: 'wait', text: () => 'The connection was lost. Reconnecting…' },
  stopping: { tone: 'busy', text: () => 'Ending the session…' },
  ended: { tone: 'idle', text: () => 'The conversation is over.' },
  failed: { tone: 'bad', text: () => 'Not connected.' },
};

/** Errors, with a hint at what the person can do. */
export const PROBLEMS = {
  keyRefused: 'This API key is wrong, expired or revoked.',
  noAgents: 'There are no agents yet. Create one with POST /api/create-agent, then reload this page.',
  microphoneRefused:
    'The microphone is blocked. Allow it for this page, usually next to the address bar, then start again. Or type instead.',
  microphoneMissing:
    'No microphone was found. Connect one or choose one in the system settings, then start again. Or type instead.',
  microphoneBusy:
    'The microphone does not work. Another program may be using it. Close that program and start again. Or type instead.',
  microphoneInsecure:
    'Browsers allow the microphone only on https:// pages and on localhost. Open this page at such an address, or type instead.',
  noMediaServer:
    'Browser sessions are not set up on this server. The operator must configure a media server (LIVEKIT_URL, LIVEKIT_API_KEY, LIVEKIT_API_SECRET).',
  tooManyRequests: 'Too many requests. Try again in a minute.',
  unavailable: 'The server is temporarily unavailable. Try again in a few seconds.',
  unreachable: 'The server cannot be reached. Check your connection.',
  agentGone: 'This agent no longer exists. Reload the page.',
  refused: 'The server rejected the request.',
  cannotJoin: 'The media server cannot be reached. It may be down or blocked by a firewall.',
  agentAbsent:
    'The agent did not join. Its process may not be running. The operator can find out more in its log.',
  noLine: 'No line became free in time. Try again later.',
  connectionLost: 'The connection was lost and could not be restored. Check your connection and start again.',
  otherWindow: 'The session continues in another window.',
  agentLost: 'The agent left unexpectedly. Its process may have stopped.',
};

/** Missing abilities of an agent, with a hint at what the person can do. */
const LACKS = {
  hears: 'It cannot hear you, so type what you want to say.',
  speaks: 'It has no voice, so read its replies under Captions.',
  thinks:
    'It has no language model, so it only knows its predefined answers. The operator can configure one with OPENAI_BASE_URL and AGENT_LLM. npm run talk uses a running Ollama.',
};
const PARTS = { stt: 'Speech recognition', llm: 'Language model', tts: 'Voice' };

/**
 * Returns null if the agent lacks nothing.
 *
 * @param {import('./speech.mjs').Speech} speech
 */
export const speechText = (speech) => {
  const lacks = Object.keys(LACKS).filter((part) => speech[part] === false);
  if (lacks.length === 0) return null;
  return {
    text: `This agent is not fully set up. ${lacks.map((part) => LACKS[part]).join(' ')}`,
    missing: speech.missing.map(({ part, why }) => `${PARTS[part] ?? part}: ${why}.`),
  };
};

/**
 * Names the models that the agent uses; null if it names none.
 *
 * @param {import('./speech.mjs').Speech} speech
 */
export const modelsText = ({ models: { stt, llm, tts } }) => {
  const parts = [stt && `hears with ${stt}`, llm && `thinks with ${llm}`, tts && `speaks with ${tts}`];
  const named = parts.filter((part) => typeof part === 'string');
  return named.length === 0 ? null : `This agent ${named.join(', ')}.`;
};

/** Text for each final status in the call history, addressed to the person in the conversation. */
const ENDS = {
  completed: 'The agent ended the conversation.',
  'User disconnected': 'You ended the conversation.',
  'no answer': 'You had left before the agent joined.',
  cancelled: 'You left before the agent joined.',
  expired: PROBLEMS.noLine,
};

export const endText = ({ callStatus, durationMs }) => {
  const end = ENDS[callStatus] ?? 'The conversation is over.';
  return durationMs > 0 ? `${end} It lasted ${clock(durationMs)}.` : end;
};

/** Formats 65,000 ms as 1:05. */
export const clock = (ms) => {
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};
