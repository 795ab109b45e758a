/** Language model client for any server with OpenAI's chat completions API. */
import type { JsonSchema } from '../../domain/analysis/schema';
import { valueAt } from '../../domain/json';
import { failureName, questionsTo, type ServiceAnswer } from '../network/own-service';
import {
  ModelRefused,
  ModelUnavailable,
  type LanguageModel,
  type ModelMessage,
  type ModelReply,
} from './model';

export interface OpenAiModelOptions {
  /** Includes `/v1`. */
  url: string;
  /** Null if the server needs no key. */
  key: string | null;
  model: string;
  /** Time limit of one request, including the complete answer. */
  timeoutMs: number;
}

const MAX_ANSWER_BYTES = 1024 * 1024;
/** Upper limit for the server's `Retry-After`. */
const LONGEST_RETRY_AFTER_MS = 5 * 60_000;

/** The formats in which we can request an answer that matches the schema, strictest first. */
const FORMATS = ['json_schema', 'json_object', 'text'] as const;
type Format = (typeof FORMATS)[number];

/** Statuses with which a server may reject an unsupported format. */
const MAY_BE_THE_FORMAT = new Set([400, 415, 422, 501]);
/** The server denies access or credit. Another format would not help. */
const NOT_ALLOWED = new Set([401, 402, 403, 407]);
/** The server or a gateway is busy or unavailable. Retry in the same format. */
const PASSING = new Set([408, 409, 425, 429, 502, 503, 504]);

export function openAiModel({ url, key, model, timeoutMs }: OpenAiModelOptions): LanguageModel {
  const question = questionsTo({
    url: `${url}/chat/completions`,
    token: key,
    maxAnswerBytes: MAX_ANSWER_BYTES,
    compress: true,
  });
  /** Formats that the server has accepted. */
  const worked = new Set<Format>();
  const strictest = (): Format => FORMATS.find((format) => worked.has(format)) ?? 'json_schema';
  /** Some servers reject an unsupported format with 500, 404 or another status. */
  const mayBeFormat = ({ status }: ServiceAnswer, format: Format): boolean =>
    MAY_BE_THE_FORMAT.has(status) ||
    (status >= 400 && !worked.has(format) && !NOT_ALLOWED.has(status) && !PASSING.has(status));

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
      const refused: ServiceAnswer[] = [];
      let empty: ModelReply | null = null;
      for (const format of FORMATS.slice(FORMATS.indexOf(strictest()))) {
        const answer = await post({ model, ...asked(messages, schema, format) }, signal);
        if (answer.status !== 200 && !mayBeFormat(answer, format)) throw refusal(answer);
        const reply = answer.status === 200 ? replyOf(answer.text) : null;
        if (reply === null) refused.push(answer);
        else if (reply.text.trim() === '' && !reply.isCutOff && !worked.has(format)) empty = reply;
        else {
          worked.add(format);
          return reply;
        }
      }
      if (empty !== null) return empty;
      const other = refused.find(({ status }) => !MAY_BE_THE_FORMAT.has(status));
      throw other === undefined ? new ModelRefused('the model server rejects the request') : refusal(other);
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
  const message = `the model server answered with status ${status}`;
  if (status < 500 && !PASSING.has(status)) return new ModelRefused(message);
  const seconds = Number(retryAfter ?? NaN);
  return new ModelUnavailable(message, seconds > 0 ? Math.min(seconds * 1000, LONGEST_RETRY_AFTER_MS) : null);
}

function replyOf(body: string): ModelReply {
  const answer = parsed(body);
  return {
    text: textOf(valueAt(firstChoice(answer), 'message', 'content')),
    isCutOff: valueAt(firstChoice(answer), 'finish_reason') === 'length',
    tokens: {
      input: count(valueAt(answer, 'usage', 'prompt_tokens')),
      cached: count(valueAt(answer, 'usage', 'prompt_tokens_details', 'cached_tokens')),
      output: count(valueAt(answer, 'usage', 'completion_tokens')),
    },
  };
}

/** Some servers return the content as a list of parts. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part) => valueAt(part, 'text'))
    .filter((text) => typeof text === 'string')
    .join('');
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new ModelUnavailable("the model server's answer is not JSON");
  }
}

function firstChoice(answer: unknown): unknown {
  const choices = valueAt(answer, 'choices');
  return Array.isArray(choices) ? choices[0] : undefined;
}

const count = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.round(value) : 0;
