/** Chooses the agents' language model: the best one available on this machine without an account. */
import Joi from 'joi';
import type { Environment } from '../stack/platform-environment';

export interface LanguageModel {
  /** Name shown to users. */
  name: string;
  /** Variables for the agent's process. */
  environment: Environment;
  /** How to get a better model; null if a language model is in use. */
  howToImprove: string | null;
  /** True if the model's time can be separated from the platform's, which requires that the model runs in our own processes. */
  isTimed: boolean;
}

const OLLAMA = 'http://127.0.0.1:11434';
const RESPONSE_TIMEOUT_MS = 2_000;
/** Embedding models, which can't converse. */
const NO_CONVERSATION = /embed|bge-|minilm/i;

const OPENAI_MODELS = Joi.object<{ data: { id: string }[] }>({
  data: Joi.array()
    .items(Joi.object({ id: Joi.string().required() }).unknown())
    .required(),
}).unknown();
const OLLAMA_MODELS = Joi.object<{ models: { name: string }[] }>({
  models: Joi.array()
    .items(Joi.object({ name: Joi.string().required() }).unknown())
    .required(),
}).unknown();

const HOW_TO_IMPROVE =
  'For free conversation, start Ollama with a model (ollama pull llama3.2) or set OPENAI_BASE_URL, then run npm run talk again.';

/**
 * Picks the first available of `AGENT_LLM`, `OPENAI_BASE_URL`, a running Ollama with a model, and the agent's own questions and answers.
 */
export async function chooseLanguageModel(
  environment: Environment,
  { ollamaUrl = OLLAMA }: { ollamaUrl?: string } = {},
): Promise<LanguageModel> {
  const { AGENT_LLM: named, OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: key } = environment;
  if (named) return languageModel(named, { AGENT_LLM: named });
  if (baseUrl) {
    const model = await firstModelAt(baseUrl.replace(/\/+$/, ''), key);
    return languageModel(`${model} at ${new URL(baseUrl).host}`, { AGENT_LLM: `openai/${model}` });
  }
  const model = await ollamaModel(ollamaUrl);
  if (model !== null) {
    return languageModel(`${model} in Ollama`, {
      OPENAI_COMPATIBLE_OLLAMA_URL: `${ollamaUrl}/v1`,
      AGENT_LLM: `ollama/${model}`,
    });
  }
  return {
    name: 'none, answers come from the questions and answers of each agent',
    environment: {},
    howToImprove: HOW_TO_IMPROVE,
    isTimed: true,
  };
}

const languageModel = (name: string, environment: Environment): LanguageModel => ({
  name,
  environment,
  howToImprove: null,
  isTimed: false,
});

/** @throws Error if the URL that the user set doesn't respond like OpenAI's interface */
async function firstModelAt(baseUrl: string, key: string | undefined): Promise<string> {
  const headers: Record<string, string> = key ? { Authorization: `Bearer ${key}` } : {};
  const answer = await ask(`${baseUrl}/models`, headers).catch((cause: unknown) => {
    throw new Error(`OPENAI_BASE_URL=${baseUrl} does not list its models: set AGENT_LLM=openai/<model>`, {
      cause,
    });
  });
  const read = OPENAI_MODELS.validate(answer);
  const models = read.error === undefined ? read.value.data : [];
  const first = models.find(({ id }) => !NO_CONVERSATION.test(id));
  if (first === undefined)
    throw new Error(`OPENAI_BASE_URL=${baseUrl} lists no model: set AGENT_LLM=openai/<model>`);
  return first.id;
}

/** Returns null if Ollama isn't running or has no suitable model. */
async function ollamaModel(url: string): Promise<string | null> {
  const answer = await ask(`${url}/api/tags`, {}).catch(() => null);
  const read = OLLAMA_MODELS.validate(answer ?? undefined, { presence: 'required' });
  if (read.error !== undefined) return null;
  return read.value.models.find(({ name }) => !NO_CONVERSATION.test(name))?.name ?? null;
}

async function ask(url: string, headers: Record<string, string>): Promise<unknown> {
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS) });
  if (!response.ok) throw new Error(`${url} returned ${response.status}`);
  return response.json();
}
