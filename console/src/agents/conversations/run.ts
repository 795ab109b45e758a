/** Runs a saved conversation with the saved agent and its model, and checks each turn. */
import type { KeptConversation, KeptTurn } from '../../../../sdk/typescript/generated';
import { unmetIn } from '../../../../domain/turn-expectations';
import { isTurnOver, type Heard } from './heard';
import { TextSession } from './text-session';

export interface TurnResult {
  /** Null if the agent speaks first. */
  user: string | null;
  said: string;
  /** Unmet expectations. Each completes the sentence "expected …". */
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
const AGENT_JOIN_TIMEOUT_MS = 90_000;
/** If a turn expects the call to end, the agent must hang up within this time. */
const HANGUP_TIMEOUT_MS = 10_000;
/** If a turn expects the call to continue, it passes once the agent has stayed on the line this long. */
const STAYS_ON_LINE_MS = 3_000;
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
  const request = { agentId, language, variables: variables as Record<string, never> };
  const session = await TextSession.open(request, signal);
  try {
    onCall(session.callId);
    await waitForAgent(session);
    session.beginTurn();
    // Waits until the agent has finished its opening, because typing would interrupt it.
    await session.until(isTurnOver);
    let hasPassed = true;
    for (const turn of turns) {
      const result = await playTurn(session, turn);
      onTurn(result);
      hasPassed &&= result.missed.length === 0;
    }
    return hasPassed;
  } finally {
    await session.close();
  }
}

async function waitForAgent(session: TextSession): Promise<void> {
  const { isAnswered, endedAs } = await session.until(
    (heard) => heard.isAnswered || heard.endedAs !== null,
    AGENT_JOIN_TIMEOUT_MS,
  );
  if (isAnswered) return;
  throw new Error(
    endedAs === null
      ? 'the agent didn’t join. Its process may not be running, or no line became free'
      : `the call ended before the agent joined (${endedAs})`,
  );
}

async function playTurn(session: TextSession, { user, expect = {} }: KeptTurn): Promise<TurnResult> {
  if (user !== undefined) {
    const { endedAs } = await session.until(() => true);
    if (endedAs !== null) return { user, said: '', missed: [missedAfter(endedAs)] };
    await session.type(user);
    await session.until(isTurnOver);
  }
  const heard = await waitForEnd(session, expect.ends);
  return {
    user: user ?? null,
    said: heard.said.join(' '),
    missed: unmetIn({ said: heard.said.join(' '), hasEnded: heard.endedAs === ENDED_BY_AGENT }, expect),
  };
}

const missedAfter = (endedAs: string): string =>
  endedAs === ENDED_BY_AGENT
    ? 'the conversation to continue, but the agent had ended it'
    : `the conversation to continue, but the call had ended (${endedAs})`;

const hasEnded = ({ endedAs }: Heard): boolean => endedAs !== null;

/** Waits only if the turn expects the call to end or to continue, because waiting takes seconds. */
const waitForEnd = (session: TextSession, ends: boolean | undefined): Promise<Heard> =>
  ends === undefined
    ? session.until(() => true)
    : session.until(hasEnded, ends ? HANGUP_TIMEOUT_MS : STAYS_ON_LINE_MS);
