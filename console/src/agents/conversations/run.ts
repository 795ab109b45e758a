/** Runs a saved conversation with the saved agent and its model, and checks each turn. */
import type { KeptConversation, KeptTurn } from '../../../../sdk/typescript/generated';
import { unmetIn } from '../../../../domain/turn-expectations';
import { isTurnOver, type Heard } from './heard';
import { TextSession } from './text-session';

export interface TurnResult {
  /** Null if the agent opens. */
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
const AGENT_COMES_WITHIN_MS = 90_000;
/** Time in which an agent that ends the call must hang up after its last words. */
const HANGS_UP_WITHIN_MS = 10_000;
/** Time after which an agent that hasn't hung up counts as continuing. */
const GOES_ON_AFTER_MS = 3_000;
/** Status of a call that its agent ended. */
const ENDED_BY_AGENT = 'completed';

/** Returns true if each turn met its expectations. Reports every checked turn, even if a later one fails. @throws if the conversation can't be held */
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
    // Waits even if the turn has no expectations, because typing earlier would interrupt the agent.
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
      : `the call ended before the agent joined, as ${endedAs}`,
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
    : `the conversation to continue, but the call was over, as ${endedAs}`;

const hasEnded = ({ endedAs }: Heard): boolean => endedAs !== null;

/** Waits only if the turn expects an end or none, because it takes seconds. */
const untilItsEndIsKnown = (session: TextSession, ends: boolean | undefined): Promise<Heard> =>
  ends === undefined
    ? session.until(() => true)
    : session.until(hasEnded, ends ? HANGS_UP_WITHIN_MS : GOES_ON_AFTER_MS);
