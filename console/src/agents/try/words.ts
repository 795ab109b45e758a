/** Texts that the user sees during a session. */
import { ApiError } from '../../../../sdk/typescript/errors';
import { durationOf } from '../../format/time';
import { sentenceOf } from '../../parts/problem-text';

export type Tone = '' | 'busy' | 'wait' | 'live' | 'bad';

export type State =
  | 'ready'
  | 'microphone'
  | 'starting'
  | 'queued'
  | 'calling'
  | 'talking'
  | 'writing'
  | 'reconnecting'
  | 'stopping'
  | 'ended'
  | 'failed';

/** `tone` sets the colour of the dot next to the text. */
export const STATES: Record<State, { tone: Tone; text: (agent: string) => string }> = {
  ready: { tone: '', text: () => 'Ready.' },
  microphone: { tone: 'busy', text: () => 'Allow the microphone when your browser asks.' },
  starting: { tone: 'busy', text: () => 'Starting the session…' },
  queued: { tone: 'wait', text: () => 'All lines are in use. The agent will join when a line is free.' },
  calling: { tone: 'busy', text: (agent) => `Waiting for ${agent}…` },
  talking: { tone: 'live', text: (agent) => `You are talking to ${agent}.` },
  writing: { tone: 'live', text: (agent) => `You are writing to ${agent}.` },
  reconnecting: { tone: 'wait', text: () => 'The connection was lost. Reconnecting…' },
  stopping: { tone: 'busy', text: () => 'Ending the session…' },
  ended: { tone: '', text: () => 'The conversation is over.' },
  failed: { tone: 'bad', text: () => 'Not connected.' },
};

/** Error messages. Each says what the user can do about it. */
const PROBLEMS = {
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
  cannotJoin: 'The media server cannot be reached. It may be down or blocked by a firewall.',
  agentAbsent:
    'The agent did not join. Its process may not be running. The operator can find out more in its log.',
  noLine: 'No line became free in time. Try again later.',
  connectionLost: 'The connection was lost and could not be restored. Check your connection and start again.',
  otherWindow: 'The session continues in another window.',
  agentLost: 'The agent left unexpectedly. Its process may have stopped.',
} as const;

export type ProblemName = keyof typeof PROBLEMS;

/** An error whose message is in `PROBLEMS`. */
export class SessionProblem extends Error {
  override readonly name = 'SessionProblem';

  constructor(
    readonly problem: ProblemName,
    options?: ErrorOptions,
  ) {
    super(PROBLEMS[problem], options);
  }
}

export function problemText(error: unknown): string {
  if (error instanceof SessionProblem) return error.message;
  if (error instanceof ApiError && error.code === 'REALTIME_NOT_CONFIGURED') return PROBLEMS.noMediaServer;
  return sentenceOf(error);
}

/** The agent's report about itself: its abilities, the reasons for missing ones, and its models. */
export interface Abilities {
  hears: boolean;
  speaks: boolean;
  thinks: boolean;
  missing: readonly { part: string; why: string }[];
  models: { stt?: string; llm?: string; tts?: string };
}

/** Texts for missing abilities. Each says what the user can do about it. */
const LACKS = {
  hears: 'It cannot hear you, so type what you want to say.',
  speaks: 'It has no voice, so read its replies under Captions.',
  thinks:
    'It has no language model, so it only knows its predefined answers. The operator can configure one with OPENAI_BASE_URL and AGENT_LLM. npm run talk uses a running Ollama.',
} as const;
const PARTS: Readonly<Record<string, string>> = {
  stt: 'Speech recognition',
  llm: 'Language model',
  tts: 'Voice',
};

/** Returns null if nothing is missing. */
export function lackingText(abilities: Abilities): { text: string; missing: string[] } | null {
  const lacks = (['hears', 'speaks', 'thinks'] as const).filter((ability) => !abilities[ability]);
  if (lacks.length === 0) return null;
  return {
    text: `This agent is not fully set up. ${lacks.map((ability) => LACKS[ability]).join(' ')}`,
    missing: abilities.missing.map(({ part, why }) => `${PARTS[part] ?? part}: ${why}.`),
  };
}

/** Names the agent's models. Returns null if the agent reported none. */
export function modelsText({ models: { stt, llm, tts } }: Abilities): string | null {
  const parts = [stt && `hears with ${stt}`, llm && `thinks with ${llm}`, tts && `speaks with ${tts}`];
  const named = parts.filter((part) => part !== undefined);
  return named.length === 0 ? null : `This agent ${named.join(', ')}.`;
}

/** How the call ended, addressed to the user, by final call status. */
const ENDS: Readonly<Record<string, string>> = {
  completed: 'The agent ended the conversation.',
  'User disconnected': 'You ended the conversation.',
  'no answer': 'You had left before the agent joined.',
  cancelled: 'You left before the agent joined.',
  expired: PROBLEMS.noLine,
};

export function endText({ status, durationMs }: { status: string; durationMs: number }): string {
  const end = ENDS[status] ?? STATES.ended.text('');
  return durationMs > 0 ? `${end} It lasted ${durationOf(durationMs)}.` : end;
}
