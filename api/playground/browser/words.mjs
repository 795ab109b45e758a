/** Everything that the page says. A tone colours the dot beside it. */

export const STATES = {
  ready: { tone: 'idle', text: () => 'Ready.' },
  microphone: { tone: 'busy', text: () => 'Allow the microphone in the question that your browser asks.' },
  starting: { tone: 'busy', text: () => 'Starting the session…' },
  queued: {
    tone: 'wait',
    text: () => 'All lines are in use. You are in the queue, and the agent comes when a line is free.',
  },
  calling: { tone: 'busy', text: ({ agent }) => `Waiting for ${agent}…` },
  talking: { tone: 'live', text: ({ agent }) => `You are talking to ${agent}.` },
  writing: { tone: 'live', text: ({ agent }) => `You are writing to ${agent}.` },
  reconnecting: { tone: 'wait', text: () => 'The connection was lost. Trying to get it back…' },
  stopping: { tone: 'busy', text: () => 'Ending the session…' },
  ended: { tone: 'idle', text: () => 'The conversation is over.' },
  failed: { tone: 'bad', text: () => 'Not connected.' },
};

/** What went wrong, and what a person can do about it. */
export const PROBLEMS = {
  keyRefused: 'This key is not valid. It may be mistyped, revoked or expired.',
  noAgents: 'There is no agent yet. Create one with POST /api/create-agent, then reload this page.',
  microphoneRefused:
    "The microphone is blocked. Allow it for this page, most often beside the address at the top of the browser's window, then start again, or type instead.",
  microphoneMissing:
    'No microphone was found. Plug one in, or choose one in the system’s settings, then start again, or type instead.',
  microphoneBusy:
    'The microphone gives no sound. Another program may hold it: close that, then start again, or type instead.',
  microphoneInsecure:
    'Browsers give the microphone only to pages on https:// or on localhost. Open this page at such an address, or type instead.',
  noMediaServer:
    'Browser sessions are not set up on this server: its operator has to configure a media server (LIVEKIT_URL, LIVEKIT_API_KEY, LIVEKIT_API_SECRET).',
  tooManyRequests: 'That were too many requests. Wait a minute, then try again.',
  unavailable: 'The server is not ready at the moment. Try again in a few seconds.',
  unreachable: 'The server did not answer. Is this computer online?',
  agentGone: 'This agent is not there any more. Reload the page.',
  refused: 'The server did not accept the request.',
  cannotJoin: 'The media server could not be reached. It may be down, or a firewall may be in the way.',
  agentAbsent: 'The agent did not come. Its process may not be running; the operator finds more in its log.',
  noLine: 'No line fell free in time. Try again later.',
  connectionLost: 'The connection was lost and could not be restored. Check the network, then start again.',
  otherWindow: 'The session goes on in another window.',
  agentLost: 'The agent left without a word: its process may have stopped.',
};

/** What an agent cannot do, and what that means for the person who talks to it. */
const LACKS = {
  hears: 'It cannot hear you: type what you want to say.',
  speaks: 'It has no voice: read its answers under Captions.',
  thinks:
    'It has no language model: it knows the answers that are written into it, and no others. Its operator can give it one: OPENAI_BASE_URL and AGENT_LLM name it; npm run talk finds a running Ollama.',
};
const PARTS = { stt: 'Speech recognition', llm: 'Language model', tts: 'Voice' };

/**
 * Null where the agent can do all of it.
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
 * Which models hear, think and speak; null where the agent names none.
 *
 * @param {import('./speech.mjs').Speech} speech
 */
export const modelsText = ({ models: { stt, llm, tts } }) => {
  const parts = [stt && `hears with ${stt}`, llm && `thinks with ${llm}`, tts && `speaks with ${tts}`];
  const named = parts.filter((part) => typeof part === 'string');
  return named.length === 0 ? null : `This agent ${named.join(', ')}.`;
};

/** How the call history calls the end, for somebody who was in the conversation. */
const ENDS = {
  completed: 'The agent ended the conversation.',
  'User disconnected': 'You ended the conversation.',
  'no answer': 'Nobody was in the room when the agent came.',
  cancelled: 'You left before the agent came.',
  expired: PROBLEMS.noLine,
};

export const endText = ({ callStatus, durationMs }) => {
  const end = ENDS[callStatus] ?? 'The conversation is over.';
  return durationMs > 0 ? `${end} It took ${clock(durationMs)}.` : end;
};

/** 65,000 ms is 1:05. */
export const clock = (ms) => {
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};
