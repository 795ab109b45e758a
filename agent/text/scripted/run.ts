/** Runs one scripted conversation and checks its expectations. */
import { types } from 'node:util';
import type { llm } from '@livekit/agents';
import type { Log } from '../../log';
import type { SendRequest } from '../../model/actions/actions';
import { type LoadedAgent, textCallContext } from '../loaded-agent';
import { TextConversation, type Exchange, type LanguageModelChoice } from '../text-conversation';
import { unmetExpectations, type TurnOutcome } from './expectations';
import type { HttpAnswer, ScriptedConversation, Turn } from './format';
import { ScriptedModel } from './model';

const NOTHING: Exchange = { said: '', tools: [], callActions: [] };

export interface TurnResult {
  /** Null in the turn that contains the agent's greeting. */
  user: string | null;
  happened: Exchange;
  /** The expectations that were not met. */
  missed: string[];
}

export type Outcome =
  | { kind: 'passed' | 'failed'; turns: TurnResult[] }
  /** The conversation needs a real model, but none is available. */
  | { kind: 'not-run'; why: string };

type UsedModel = Pick<LanguageModelChoice, 'model'> & Partial<LanguageModelChoice>;

interface RunDependencies {
  agent: LoadedAgent;
  /** Sends the requests of conversations whose `http` is `real`. */
  request: SendRequest;
  /** Returns the agent's own model, or null to skip conversations that need one. */
  realModel: (callContext: ReturnType<typeof textCallContext>) => UsedModel | null;
  log: Log;
}

export async function runConversation(
  script: ScriptedConversation,
  { agent, request, realModel, log }: RunDependencies,
): Promise<Outcome> {
  const callContext = textCallContext(agent, script.variables);
  const scripted = new ScriptedModel();
  const used: UsedModel | null = script.model === 'real' ? realModel(callContext) : { model: scripted };
  const model = used?.model ?? null;
  if (model === null) return { kind: 'not-run', why: 'no language model is available for this agent' };
  const { now, http } = script;
  const conversation = await TextConversation.open({
    callContext,
    model,
    ...(used?.server === undefined ? {} : { server: used.server }),
    log,
    transfers: script.transfers,
    request: http === 'real' ? request : answersFrom(http),
    ...(now === null ? {} : { now: () => now }),
  });
  try {
    const turns: TurnResult[] = [];
    for (const turn of script.turns) turns.push(await runTurn(turn, conversation, scripted, script.model));
    const isFine = turns.every(({ missed }) => missed.length === 0);
    return { kind: isFine ? 'passed' : 'failed', turns };
  } finally {
    await conversation.close();
  }
}

async function runTurn(
  { user, replies, expect }: Turn,
  conversation: TextConversation,
  model: ScriptedModel,
  kind: 'scripted' | 'real',
): Promise<TurnResult> {
  if (conversation.hasEnded)
    return { user, happened: NOTHING, missed: ['the conversation to go on, but the agent had ended it'] };
  model.give(replies);
  const requestsBefore = model.requests.length;
  let happened: Exchange;
  try {
    happened =
      user === null ? { ...NOTHING, said: await conversation.greet() } : await conversation.say(user);
  } catch (error) {
    return {
      user,
      happened: NOTHING,
      missed: [`an answer: ${messageOf(error)}`],
    };
  }
  const requests = kind === 'real' ? null : model.requests.slice(requestsBefore);
  const seen: TurnOutcome = {
    ...happened,
    hasEnded: conversation.hasEnded,
    modelCalls: requests === null ? null : { times: requests.length, read: requests.map(textIn).join('\n') },
  };
  return { user, happened, missed: unmetExpectations(expect, seen) };
}

const messageOf = (error: unknown): string => (types.isNativeError(error) ? error.message : 'it failed');

const textIn = ({ items }: llm.ChatContext): string =>
  items
    .map((item) => {
      if (item.type === 'message') return item.textContent ?? '';
      return item.type === 'function_call_output' ? item.output : '';
    })
    .join('\n');

/**
 * Finds the scripted response by method and address. Ignores the request's query if the scripted address has none. A request without a
 * scripted response fails.
 */
const answersFrom =
  (answers: readonly HttpAnswer[]): SendRequest =>
  ({ method, url }) => {
    const answer = answers.find(
      (one) => (one.method ?? method) === method && (one.url === url || one.url === url.split('?')[0]),
    );
    if (answer === undefined)
      return Promise.resolve({ kind: 'failed', why: 'the script has no answer to this request' });
    const { status, body } = answer;
    const isText = typeof body === 'string';
    return Promise.resolve({
      kind: 'answered',
      status,
      contentType: isText ? 'text/plain' : 'application/json',
      body: isText ? body : JSON.stringify(body),
      isCut: false,
    });
  };
