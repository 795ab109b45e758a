/** Any server that speaks OpenAI's chat completions, hosted or our own. */
import type { JsonSchema } from '../../workflows/domain/analysis/schema';
import { valueAt } from '../../workflows/domain/json';
import { failureName, questionsTo, type ServiceAnswer } from '../network/own-service';
import {
  ModelRefused,
  ModelUnavailable,
  type LanguageModel,
  type ModelMessage,
  type ModelReply,
} from './model';

export interface OpenAiModelOptions {
  /** Up to and with `/v1`. */
  url: string;
  /** Null where the server asks for none. */
  key: string | null;
  model: string;
  /** For one question and its whole answer. */
  timeoutMs: number;
}

const MAX_ANSWER_BYTES = 1024 * 1024;
/** Longer a server need not ask us to stay away: the retries' own limit holds. */
const LONGEST_RETRY_AFTER_MS = 5 * 60_000;

/** How the answer is kept to the schema, the strictest first. */
const FORMATS = ['json_schema', 'json_object', 'text'] as const;
type Format = (typeof FORMATS)[number];

/** What a server says that does not know a format, among other things. */
const MAY_BE_THE_FORMAT = new Set([400, 415, 422, 501]);
/** Statuses after which a retry may succeed. */
const PASSING = new Set([408, 409, 425, 429]);

export function openAiModel({ url, key, model, timeoutMs }: OpenAiModelOptions): LanguageModel {
  const question = questionsTo({
    url: `${url}/chat/completions`,
    token: key,
    maxAnswerBytes: MAX_ANSWER_BYTES,
    compress: true,
  });
  /** What it was seen to take: other servers than OpenAI's are not asked in vain each time. */
  let known: Format = 'json_schema';

  async function post(body: object, signal: AbortSignal): Promise<ServiceAnswer> {
    try {
      return await question(body, { timeoutMs, signal });
    } catch (error) {
      throw new ModelUnavailable(failureName(error, timeoutMs));
    }
  }

  return {
    name: model,
    async ask(messages, schema, signal) {
      for (const format of FORMATS.slice(FORMATS.indexOf(known))) {
        const answer = await post({ model, ...asked(messages, schema, format) }, signal);
        if (MAY_BE_THE_FORMAT.has(answer.status)) continue;
        if (answer.status !== 200) throw refusal(answer);
        known = format;
        return replyOf(answer.text);
      }
      throw new ModelRefused('the model refuses the question');
    },
  };
}

function asked(messages: readonly ModelMessage[], schema: JsonSchema, format: Format): object {
  if (format === 'json_schema') {
    const json_schema = { name: 'call_analysis', strict: true, schema };
    return { messages, response_format: { type: 'json_schema', json_schema } };
  }
  const schemaMessage: ModelMessage = {
    role: 'system',
    content: `Answer with one JSON object and nothing else. Its JSON schema:\n${JSON.stringify(schema)}`,
  };
  return {
    messages: [schemaMessage, ...messages],
    ...(format === 'json_object' && { response_format: { type: 'json_object' } }),
  };
}

function refusal({ status, retryAfter }: ServiceAnswer): ModelUnavailable | ModelRefused {
  const message = `the model's server answered ${status}`;
  if (status < 500 && !PASSING.has(status)) return new ModelRefused(message);
  const seconds = Number(retryAfter ?? NaN);
  return new ModelUnavailable(message, seconds > 0 ? Math.min(seconds * 1000, LONGEST_RETRY_AFTER_MS) : null);
}

function replyOf(body: string): ModelReply {
  const answer = parsed(body);
  const content = valueAt(firstChoice(answer), 'message', 'content');
  return {
    text: typeof content === 'string' ? content : '',
    isCutOff: valueAt(firstChoice(answer), 'finish_reason') === 'length',
    tokens: {
      input: count(valueAt(answer, 'usage', 'prompt_tokens')),
      cached: count(valueAt(answer, 'usage', 'prompt_tokens_details', 'cached_tokens')),
      output: count(valueAt(answer, 'usage', 'completion_tokens')),
    },
  };
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new ModelUnavailable("the model's server answered no JSON");
  }
}

function firstChoice(answer: unknown): unknown {
  const choices = valueAt(answer, 'choices');
  return Array.isArray(choices) ? choices[0] : undefined;
}

const count = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.round(value) : 0;
