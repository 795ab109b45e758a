/** Runs a kept conversation with the agent as it is stored, its model included, and judges each turn. */
import type { KeptConversation, KeptTurn } from '../../../../sdk/typescript/generated';
import { unmetIn } from '../../../../domain/turn-expectations';
import { isTurnOver, type Heard } from './heard';
import { TextSession } from './text-session';

export interface TurnResult {
  /** Null for what the agent says by itself. */
  user: string | null;
  said: string;
  /** The expectations that were not met, each completing "expected …". */
  missed: string[];
}

export interface RunSettings {
  agentId: string;
  language: string;
  signal: AbortSignal;
  onCall: (callId: string) => void;
  onTurn: (turn: TurnResult) => void;
}

/** A line may have to fall free first. */
const AGENT_COMES_WITHIN_MS = 90_000;
/** After its last words an agent that ends the call hangs up. */
const HANGS_UP_WITHIN_MS = 10_000;
/** An agent that has not hung up by then goes on. */
const GOES_ON_AFTER_MS = 3_000;
/** Its agent ended the call, as the call history has it. */
const ENDED_BY_AGENT = 'completed';

/** True where each turn met its expectations. What was judged is reported also where the rest fails. @throws where the conversation cannot be held */
export async function runConversation(
  { variables = {}, turns }: KeptConversation,
  { agentId, language, signal, onCall, onTurn }: RunSettings,
): Promise<boolean> {
  const session = await TextSession.open({
    agentId,
    language,
    variables: variables as Record<string, never>,
    signal,
  });
  try {
    onCall(session.callId);
    await untilAgentIsThere(session);
    session.beginTurn();
    // It is heard out also where its words are not judged: who types meanwhile interrupts it.
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
      ? 'the agent did not come: its process may not be running, or no line fell free'
      : `the call ended before the agent came, as ${endedAs}`,
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
    ? 'the conversation to go on, but the agent had ended it'
    : `the conversation to go on; the call was over, as ${endedAs}`;

const hasEnded = ({ endedAs }: Heard): boolean => endedAs !== null;

/** Only where it matters: each look costs seconds. */
const untilItsEndIsKnown = (session: TextSession, ends: boolean | undefined): Promise<Heard> =>
  ends === undefined
    ? session.until(() => true)
    : session.until(hasEnded, ends ? HANGS_UP_WITHIN_MS : GOES_ON_AFTER_MS);
