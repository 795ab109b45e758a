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
  microphone: { tone: 'busy', text: () => 'Allow microphone access when your browser asks for it.' },
  starting: { tone: 'busy', text: () => 'Starting the session…' },
  queued: { tone: 'wait', text: () => 'All lines are in use. The agent will join as soon as one is free.' },
  calling: { tone: 'busy', text: (agent) => `Waiting for ${agent}…` },
  talking: { tone: 'live', text: (agent) => `You are talking to ${agent}.` },
  writing: { tone: 'live', text: (agent) => `You are writing to ${agent}.` },
  reconnecting: { tone: 'wait', text: () => 'The connection was lost. Reconnecting…' },
  stopping: { tone: 'busy', text: () => 'Ending the session…' },
  ended: { tone: '', text: () => 'The conversation has ended.' },
  failed: { tone: 'bad', text: () => 'Not connected.' },
};

/** Error messages. Each says what the user can do about it. */
const PROBLEMS = {
  microphoneBlocked:
    'Your browser is blocking the microphone. Allow it for this page (usually next to the address bar) and start again, or type instead.',
  microphoneMissing:
    'No microphone was found. Connect one or select one in your system settings and start again, or type instead.',
  microphoneBusy:
    'The microphone isn’t working. Another program may be using it. Close that program and start again, or type instead.',
  microphoneInsecure:
    'Browsers allow microphone access only on https:// pages and on localhost. Open this page at such an address, or type instead.',
  noMediaServer:
    'Browser sessions aren’t set up on this server. The operator must configure a media server (LIVEKIT_URL, LIVEKIT_API_KEY, LIVEKIT_API_SECRET).',
  cannotJoin: 'The media server can’t be reached. It may be down, or a firewall may be blocking it.',
  agentAbsent: 'The agent didn’t join. Its process may not be running. Ask the operator to check its log.',
  noLine: 'No line became free in time. Try again later.',
  connectionLost: 'The connection was lost and couldn’t be restored. Check your network and start again.',
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

/** The abilities and models that the agent reports, and why abilities are missing. */
export interface Abilities {
  hears: boolean;
  speaks: boolean;
  thinks: boolean;
  missing: readonly { part: string; why: string }[];
  models: { stt?: string; llm?: string; tts?: string };
}

/** Texts about missing abilities. Each says what the user can do. */
const MISSING_ABILITIES = {
  hears: 'It can’t hear you, so type what you want to say.',
  speaks: 'It has no voice, so read its replies under Captions.',
  thinks:
    'It has no language model, so it can only give predefined answers. The operator can configure a model with OPENAI_BASE_URL and AGENT_LLM. npm run talk uses Ollama if it is running.',
} as const;
const PARTS: Readonly<Record<string, string>> = {
  stt: 'Speech recognition',
  llm: 'Language model',
  tts: 'Voice',
};

const nameOf = (part: string): string => PARTS[part] ?? part;

/** Returns null if nothing is missing. */
export function lackingText(abilities: Abilities): { text: string; missing: string[] } | null {
  const lacking = (['hears', 'speaks', 'thinks'] as const).filter((ability) => !abilities[ability]);
  if (lacking.length === 0) return null;
  return {
    text: `This agent isn’t fully set up. ${lacking.map((ability) => MISSING_ABILITIES[ability]).join(' ')}`,
    missing: abilities.missing.map(({ part, why }) => `${nameOf(part)}: ${why}.`),
  };
}

/** Names the agent's models. Returns null if the agent reported none. */
export function modelsText({ models: { stt, llm, tts } }: Abilities): string | null {
  const named = Object.entries({ stt, llm, tts }).filter(([, model]) => model !== undefined);
  return named.length === 0 ? null : named.map(([part, model]) => `${nameOf(part)}: ${model}`).join(' · ');
}

/** How the call ended, addressed to the user, by final call status. */
const ENDS: Readonly<Record<string, string>> = {
  completed: 'The agent ended the conversation.',
  'User disconnected': 'You ended the conversation.',
  'no answer': 'You left before the agent joined.',
  cancelled: 'You left before the agent joined.',
  expired: PROBLEMS.noLine,
};

export function endText({ status, durationMs }: { status: string; durationMs: number }): string {
  const end = ENDS[status] ?? STATES.ended.text('');
  return durationMs > 0 ? `${end} It lasted ${durationOf(durationMs)}.` : end;
}
