/** Runs a saved conversation with the saved agent and its model, and checks each turn. */
import type { KeptConversation, KeptTurn } from '../../../../sdk/typescript/generated';
import { unmetIn } from '../../../../domain/turn-expectations';
import { isTurnOver, type Heard } from './heard';
import { TextSession } from './text-session';

export interface TurnResult {
  /** Null if the agent speaks first. */
  user: string | null;
  said: string;
  /** Unmet expectations. Each text completes the sentence "expected …". */
  missed: string[];
}

export interface RunSettings {
  agentId: string;
  language: string;
  signal: AbortSignal;
  onCall: (callId: string) => void;
  onTurn: (turn: TurnResult) => void;
}

/** Includes the wait for a free line. */
const AGENT_COMES_WITHIN_MS = 90_000;
/** If a turn expects the call to end, the agent must hang up within this time. */
const HANGS_UP_WITHIN_MS = 10_000;
/** If a turn expects the call to continue, it passes once the agent has stayed on the line this long. */
const GOES_ON_AFTER_MS = 3_000;
/** Status of a call that the agent ended. */
const ENDED_BY_AGENT = 'completed';

/**
 * Returns true if every turn met its expectations. Calls `onTurn` after each turn, even if an earlier one failed.
 * @throws Error if the session fails, for example because the agent doesn't join
 */
export async function runConversation(
  { variables = {}, turns }: KeptConversation,
  { agentId, language, signal, onCall, onTurn }: RunSettings,
): Promise<boolean> {
  const wanted = { agentId, language, variables: variables as Record<string, never> };
  const session = await TextSession.open(wanted, signal);
  try {
    onCall(session.callId);
    await untilAgentIsThere(session);
    session.beginTurn();
    // Waits for the agent's opening, because typing during it would interrupt the agent.
    await session.until(isTurnOver);
    let isFine = true;
    for (const turn of turns) {
      const result = await playTurn(session, turn);
      onTurn(result);
      isFine &&= result.missed.length === 0;
    }
    return isFine;
  } finally {
    await session.close();
  }
}

async function untilAgentIsThere(session: TextSession): Promise<void> {
  const { isAnswered, endedAs } = await session.until(
    (heard) => heard.isAnswered || heard.endedAs !== null,
    AGENT_COMES_WITHIN_MS,
  );
  if (isAnswered) return;
  throw new Error(
    endedAs === null
      ? 'the agent did not join: its process may not be running, or no line became free'
      : `the call ended before the agent joined (${endedAs})`,
  );
}

async function playTurn(session: TextSession, { user, expect = {} }: KeptTurn): Promise<TurnResult> {
  if (user !== undefined) {
    const { endedAs } = await session.until(() => true);
    if (endedAs !== null) return { user, said: '', missed: [whyOver(endedAs)] };
    await session.type(user);
    await session.until(isTurnOver);
  }
  const heard = await untilItsEndIsKnown(session, expect.ends);
  return {
    user: user ?? null,
    said: heard.said.join(' '),
    missed: unmetIn({ said: heard.said.join(' '), hasEnded: heard.endedAs === ENDED_BY_AGENT }, expect),
  };
}

const whyOver = (endedAs: string): string =>
  endedAs === ENDED_BY_AGENT
    ? 'the conversation to continue, but the agent had ended it'
    : `the conversation to continue, but the call was over (${endedAs})`;

const hasEnded = ({ endedAs }: Heard): boolean => endedAs !== null;

/** Waits only if the turn has an expectation about the end of the call, because waiting takes seconds. */
const untilItsEndIsKnown = (session: TextSession, ends: boolean | undefined): Promise<Heard> =>
  ends === undefined
    ? session.until(() => true)
    : session.until(hasEnded, ends ? HANGS_UP_WITHIN_MS : GOES_ON_AFTER_MS);
