/** Any server that speaks OpenAI's chat completions, hosted or our own. */
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import fetch, { FetchError } from 'node-fetch';
import type { JsonSchema } from '../../workflows/domain/analysis/schema';
import { valueAt } from '../../workflows/domain/json';
import {
  ModelRefused,
  ModelUnavailable,
  type LanguageModel,
  type ModelMessage,
  type ModelReply,
} from './model';

export interface OpenAiModelOptions {
  /** Up to and with `/v1`. An operator's, so it may be private: the guard of webhooks does not apply. */
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
/** What another try may be answered differently. */
const PASSING = new Set([408, 409, 425, 429]);

export function openAiModel({ url, key, model, timeoutMs }: OpenAiModelOptions): LanguageModel {
  const agent = url.startsWith('https:')
    ? new HttpsAgent({ keepAlive: true })
    : new HttpAgent({ keepAlive: true });
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    'user-agent': 'voice-agent-platform',
    ...(key !== null && { authorization: `Bearer ${key}` }),
  };
  /** What it was seen to take: other servers than OpenAI's are not asked in vain each time. */
  let known: Format = 'json_schema';

  async function post(body: object, signal: AbortSignal): Promise<Answer> {
    const cut = new AbortController();
    try {
      const response = await fetch(`${url}/chat/completions`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers,
        agent,
        redirect: 'error',
        size: MAX_ANSWER_BYTES,
        signal: AbortSignal.any([cut.signal, signal, AbortSignal.timeout(timeoutMs)]),
      });
      const text = response.ok ? await response.text() : '';
      return { status: response.status, text, retryAfter: response.headers.get('retry-after') };
    } catch (error) {
      throw new ModelUnavailable(failureName(error, timeoutMs));
    } finally {
      // An answer that was not read to its end would keep its connection.
      cut.abort();
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

interface Answer {
  status: number;
  text: string;
  retryAfter: string | null;
}

function asked(messages: readonly ModelMessage[], schema: JsonSchema, format: Format): object {
  if (format === 'json_schema') {
    const json_schema = { name: 'call_analysis', strict: true, schema };
    return { messages, response_format: { type: 'json_schema', json_schema } };
  }
  const told: ModelMessage = {
    role: 'system',
    content: `Answer with one JSON object and nothing else. Its JSON schema:\n${JSON.stringify(schema)}`,
  };
  return {
    messages: [told, ...messages],
    ...(format === 'json_object' && { response_format: { type: 'json_object' } }),
  };
}

function refusal({ status, retryAfter }: Answer): ModelUnavailable | ModelRefused {
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

/** Without the error's own message, which may hold the address and with it a password. */
function failureName(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return 'unknown failure';
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return `no answer within ${timeoutMs} ms`;
  if (error instanceof FetchError) return error.code ?? error.type;
  return error.name;
}
