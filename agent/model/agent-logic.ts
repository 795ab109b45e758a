/** The agent's logic: instructions, retrieval, guardrails and actions. Voice and text conversations share it. */
import type { llm, voice } from '@livekit/agents';
import type { ResolvedConfig } from '../../domain/agent-config';
import { promptVariables } from '../../domain/contact-data';
import { timeZoneOf } from '../../domain/local-time';
import { fillTemplate } from '../../domain/template';
import type { Log } from '../log';
import type { CallContext } from '../platform/call-context';
import type { CallControls } from './actions/actions';
import { readActions, type Actions } from './actions/read-actions';
import { ActionTools } from './actions/tools';
import { fixedSentence } from './fixed-sentences';
import { Guard } from './guardrails/guard';
import { guardrailsOf } from './guardrails/rules';
import { IgnoredSettings, type IgnoredSetting } from './ignored-settings';
import { composeInstructions, variablesOf, languageOf } from './instructions';
import { LlmAgent, type VoiceNodes } from './llm-agent';
import { NoModel, faqAnswer, answerWithoutModel } from './no-model';
import { answersWithinBudget, notesFrom } from './retrieval/notes';
import { faqOf, faqPassage, knowledgeOf, type Passage } from './retrieval/passages';
import { searchOver } from './retrieval/search';

interface AgentLogicOptions {
  /** Null when no model is available. The agent then says that it has none and answers from its FAQ. */
  model: llm.LLM | null;
  log: Log;
  /** Replacements of the SDK's nodes for a voice session. */
  nodes?: VoiceNodes;
  /** Further options of the SDK's agent. This module sets instructions, tools and model. */
  agentOptions?: Omit<voice.AgentOptions<unknown>, 'instructions' | 'tools' | 'llm'>;
  /** Time zone to use when a person's variables name none. Default: India's. */
  timeZone?: string;
  /** Default: the system clock. Tests pass their own. */
  now?: () => Date;
}

export interface AgentLogic {
  /** The SDK's agent. It includes the model, so the session needs none. */
  agent: voice.Agent;
  /** The complete instructions with variables filled in. */
  instructions: string;
  /** Checks text that is spoken without coming from the agent's model. */
  guard: Guard;
  hasModel: boolean;
  /** Parts of the configuration that the agent ignores. They are also logged, but without their content. */
  ignoredSettings: readonly IgnoredSetting[];
  /** Returns the answer of the most similar FAQ entry, or null when no entry is similar enough. */
  answerFromFaq(words: string): string | null;
}

export function createAgentLogic(
  callContext: CallContext,
  callControls: CallControls,
  options: AgentLogicOptions,
): AgentLogic {
  const { model, log, nodes, agentOptions, now = () => new Date() } = options;
  const { variables } = callContext;
  const { config } = callContext.agent;
  const ignored = new IgnoredSettings();
  const filled = (text: string): string => fillTemplate(text, variables);
  const { main: language } = languageOf(callContext);
  const timeZone = callTimeZone(callContext, options);
  const forPrompt = promptVariables(variablesOf(callContext));
  const { guard, promptRules } = guardOf(config, language, filled, ignored);
  const faq = faqOf(config, ignored);
  const questions = searchOver(faq.map(faqPassage));
  const { use_rag: retrieves } = config.training.knowledge;
  const passages = retrieves ? [...faq.map(faqPassage), ...knowledgeOf(config, ignored)] : [];
  const actions = readActions(config, ignored);
  const tools = new ActionTools({
    actions,
    callControls,
    variables,
    promptVariables: forPrompt,
    language,
    timeZone,
    guard,
    now,
    log,
  });
  const answers = retrieves ? [] : answersWithinBudget(faq, ignored);
  const otherTemplates = templatesOf(actions, passages);
  const parts = { rules: promptRules, answers, retrieves, otherTemplates, now: now(), timeZone };
  const instructions = composeInstructions(callContext, parts, ignored);
  ignored.logTo(log);

  const agent = new LlmAgent(
    { ...agentOptions, instructions, tools: tools.all, llm: model ?? new NoModel() },
    {
      guard,
      tools,
      noteFor: notesFrom(passages, forPrompt),
      answerWithoutModel:
        model === null ? (turn) => filled(answerWithoutModel(questions, turn, language)) : null,
      apology: fixedSentence('no-words', language),
      log,
    },
    nodes,
  );
  return {
    agent,
    instructions,
    guard,
    hasModel: model !== null,
    ignoredSettings: ignored.all,
    answerFromFaq: (words) => {
      const answer = faqAnswer(questions, words);
      return answer === null ? null : filled(answer);
    },
  };
}

const templatesOf = ({ all }: Actions, passages: readonly Passage[]): string[] => [
  ...all.map(({ description }) => description),
  ...passages.map(({ title, text }) => `${title} ${text}`),
];

const callTimeZone = ({ variables }: CallContext, { timeZone: fallback, log }: AgentLogicOptions): string =>
  timeZoneOf(variables, {
    ...(fallback !== undefined && { fallback }),
    onUnknown: () => log.warn({}, 'the variable timezone is not a valid time zone'),
  });

function guardOf(
  config: ResolvedConfig,
  language: string | null,
  filled: (text: string) => string,
  ignored: IgnoredSettings,
): { guard: Guard; promptRules: string[] } {
  const { rules, promptRules } = guardrailsOf(config, ignored);
  const spoken = rules.map(({ response, ...rule }) => ({
    ...rule,
    response: response === null ? null : filled(response),
  }));
  const guard = new Guard(spoken, {
    refusal: fixedSentence('refusal', language),
    redirect: fixedSentence('redirect', language),
  });
  return { guard, promptRules };
}
