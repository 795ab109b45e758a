/** What the agent thinks with: the same for a voice and for a conversation by text. */
import type { llm, voice } from '@livekit/agents';
import type { ResolvedConfig } from '../../workflows/domain/agent-config';
import { fillTemplate } from '../../workflows/domain/template';
import type { Log } from '../log';
import type { Brief } from '../platform/brief';
import { readActions } from './actions/read-actions';
import { ActionTools } from './actions/tools';
import { Guard } from './guardrails/guard';
import { guardrailsOf } from './guardrails/rules';
import type { Hands } from './hands';
import { answersThatFit, notesOver } from './knowledge/notes';
import { faqOf, faqPassage, knowledgeOf } from './knowledge/passages';
import { searchOver } from './knowledge/search';
import { LeftOutList, type LeftOut } from './left-out';
import { NoModel } from './no-model';
import { listedAnswer, plainAnswer } from './plain-answers';
import { fixedSentence } from './prompt/fixed-sentences';
import { composeInstructions } from './prompt/instructions';
import { languageOf } from './prompt/language';
import { timeZoneOf } from './prompt/local-time';
import { ThinkingAgent, type VoiceNodes } from './thinking-agent';

export type { Hands, OutgoingRequest, RequestOutcome, SendRequest } from './hands';
export type { LeftOut } from './left-out';
export type { VoiceNodes } from './thinking-agent';
export { guardedRequests } from './actions/guarded-requests';

export interface MindOptions {
  /** Null where none can be had: the agent says so, and answers from its list of questions. */
  model: llm.LLM | null;
  log: Log;
  /** What the voice adds to the agent. */
  nodes?: VoiceNodes;
  /** Further options of the SDK's agent; its instructions, tools and model are the mind's. */
  agentOptions?: Omit<voice.AgentOptions<unknown>, 'instructions' | 'tools' | 'llm'>;
  /** The wall clock unless a test has its own. */
  now?: () => Date;
}

export interface Mind {
  /** Brings its model with it: the session needs none. */
  agent: voice.Agent;
  /** The whole of them, variables filled in. */
  instructions: string;
  /** Judges words that reach the caller past the agent's model. */
  guard: Guard;
  /** Whether there is a model. */
  thinks: boolean;
  /** Of the configuration; told to the log too, without content. */
  leftOut: readonly LeftOut[];
  /** From the list of questions; null where none is near enough. */
  answerFromList(words: string): string | null;
}

export function createMind(brief: Brief, hands: Hands, options: MindOptions): Mind {
  const { model, log, nodes, agentOptions, now = () => new Date() } = options;
  const { variables, agent: configured } = brief;
  const { config } = configured;
  const leftOut = new LeftOutList();
  const filled = (text: string): string => fillTemplate(text, variables);
  const language = languageOf(brief).main;
  const timeZone = timeZoneOf(variables);

  const { guard, asked } = guardOf(config, language, filled, leftOut);
  const faq = faqOf(config, leftOut);
  const questions = searchOver(faq.map(faqPassage));
  const retrieves = config.training.knowledge.use_rag;
  const found = retrieves ? [...faq.map(faqPassage), ...knowledgeOf(config, leftOut)] : [];
  const actions = readActions(config, leftOut);
  const tools = new ActionTools({ actions, hands, variables, language, timeZone, guard, now, log });
  const answers = retrieves ? [] : answersThatFit(faq, leftOut);
  const parts = { rules: asked, answers, retrieves, now: now(), timeZone };
  const instructions = composeInstructions(brief, parts, leftOut);
  leftOut.tell(log);

  const agent = new ThinkingAgent(
    { ...agentOptions, instructions, tools: tools.all, llm: model ?? new NoModel() },
    {
      guard,
      tools,
      noteFor: notesOver(found, variables),
      answerPlainly: model === null ? (turn) => filled(plainAnswer(questions, turn, language)) : null,
      log,
    },
    nodes,
  );
  return {
    agent,
    instructions,
    guard,
    thinks: model !== null,
    leftOut: leftOut.all,
    answerFromList: (words) => {
      const answer = listedAnswer(questions, words);
      return answer === null ? null : filled(answer);
    },
  };
}

function guardOf(
  config: ResolvedConfig,
  language: string | null,
  filled: (text: string) => string,
  leftOut: LeftOutList,
): { guard: Guard; asked: string[] } {
  const { rules, asked } = guardrailsOf(config, leftOut);
  const spoken = rules.map(({ response, ...rule }) => ({
    ...rule,
    response: response === null ? null : filled(response),
  }));
  const guard = new Guard(spoken, {
    refusal: fixedSentence('refusal', language),
    leadingBack: fixedSentence('leading-back', language),
  });
  return { guard, asked };
}
