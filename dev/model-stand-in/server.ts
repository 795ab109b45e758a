/**
 * A fake model server for tests and benchmarks. It offers OpenAI's HTTP interface for chat, transcription and speech, and answers from
 * scripts without delay.
 * Without a script, a language model repeats the user's last message, and a transcriber returns no text.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { closeServer, listen, readBody, sendJson } from '../http';
import { speechOf } from './speech';

export interface ModelStandIn {
  /** Ends in `/v1`. */
  url: string;
  /** Replaces the model's remaining replies. They are returned in order, and the last one is repeated. */
  script: (model: string, replies: readonly Reply[]) => void;
  /** Returns the requests to the model, in order. */
  requests: (model: string) => readonly TakenRequest[];
  /** The models whose requests are still being answered. */
  openRequests: () => readonly string[];
  close: () => Promise<void>;
}

/** Sample rate of OpenAI's raw audio. */
const SPEECH_RATE = 24_000;
const MAX_BODY_BYTES = 32 * 1024 * 1024;

/** `host` is the address to listen on. */
export async function startModelStandIn({
  port = 0,
  host = '127.0.0.1',
}: { port?: number; host?: string } = {}): Promise<ModelStandIn> {
  const scripts = new Scripts();
  const open = new Map<ServerResponse, string>();
  const server = createServer((request, response) => {
    open.set(response, '');
    response.once('close', () => open.delete(response));
    serve(request, response, scripts, (model) => open.has(response) && open.set(response, model)).catch(() =>
      response.destroy(),
    );
  });
  const opened = await listen(server, port, host);
  return {
    url: `http://${host}:${opened}/v1`,
    script: (model, replies) => scripts.set(model, replies),
    requests: (model) => scripts.requestsOf(model),
    openRequests: () => [...open.values()],
    close: () => closeServer(server),
  };
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  scripts: Scripts,
  onModel: (model: string) => void,
): Promise<void> {
  const path = request.url ?? '';
  const body = await fieldsOf(request);
  const model = typeof body.model === 'string' ? body.model : '';
  onModel(model);
  const taken: TakenRequest = {
    path,
    authorization: request.headers.authorization ?? null,
    body,
    takenAtMs: performance.now(),
    answeredAtMs: null,
  };
  scripts.note(model, taken);
  const reply = scripts.next(model);
  await sleep(reply?.delayMs ?? 0);
  taken.answeredAtMs = performance.now();
  if (reply !== undefined && isErrorReply(reply)) return sendError(response, reply.status);
  switch (path) {
    case '/v1/chat/completions':
      return chat(response, body, reply ?? { text: lastWords(body.messages) });
    case '/v1/audio/transcriptions':
      return json(response, { text: reply !== undefined && 'text' in reply ? reply.text : '' });
    case '/v1/audio/speech':
      return speak(response, body);
    default:
      return sendError(response, 404);
  }
}

async function chat(
  response: ServerResponse,
  body: Readonly<Record<string, unknown>>,
  reply: Answer,
): Promise<void> {
  const model = String(body.model);
  const prompt = JSON.stringify(body.messages ?? '');
  const message = messageOf(reply);
  if (body.stream !== true) return json(response, completion(model, prompt, message));
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  for (const [index, chunk] of chunks(model, prompt, message).entries()) {
    if (index === reply.cutAfterPieces) return void response.destroy();
    if (index > 0 && reply.betweenPiecesMs !== undefined) await sleep(reply.betweenPiecesMs);
    // Each piece is flushed before the next one, because cutting the connection drops its buffer.
    await new Promise((written) => response.write(`data: ${JSON.stringify(chunk)}\n\n`, written));
  }
  response.end('data: [DONE]\n\n');
}

function speak(response: ServerResponse, body: Readonly<Record<string, unknown>>): void {
  const text = typeof body.input === 'string' ? body.input : '';
  const speech = spoken(text, typeof body.speed === 'number' ? body.speed : 1);
  response.writeHead(200, { 'Content-Type': 'audio/pcm' });
  response.end(speech);
}

/**
 * Speech by speed and text. Synthesising eight seconds of speech would block this process for 80 ms and distort the latencies that it
 * measures.
 */
const SPOKEN = new Map<string, Buffer>();

function spoken(text: string, speed: number): Buffer {
  const key = `${speed} ${text}`;
  const speech = SPOKEN.get(key) ?? Buffer.from(speechOf(text, SPEECH_RATE, speed).buffer);
  SPOKEN.set(key, speech);
  return speech;
}

const json = (response: ServerResponse, body: object): void => sendJson(response, 200, body);

function sendError(response: ServerResponse, status: number): void {
  const error = { message: `the script answers ${status}`, type: 'stand_in', code: null };
  sendJson(response, status, { error });
}

/** Parses JSON or a form's fields. A file is replaced by its size in bytes. */
async function fieldsOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const whole = await readBody(request, MAX_BODY_BYTES);
  if (whole === null) throw new Error('the body is too large');
  const type = request.headers['content-type'] ?? '';
  if (!type.startsWith('multipart/')) return whole.length === 0 ? {} : objectOf(whole.toString('utf8'));
  const form = await new Response(whole, { headers: { 'Content-Type': type } }).formData();
  return Object.fromEntries(
    [...form].map(([name, value]) => [name, typeof value === 'string' ? value : value.size]),
  );
}

function objectOf(text: string): Record<string, unknown> {
  const read: unknown = JSON.parse(text);
  return typeof read === 'object' && read !== null ? { ...read } : {};
}

/** Pieces of two words, as a model streams them. */
const PIECE = /\S+\s*\S*\s*/g;

interface Message {
  text: string | null;
  toolCalls: { id: string; type: 'function'; function: { name: string; arguments: string } }[];
}

function messageOf(reply: Answer): Message {
  if ('text' in reply) return { text: reply.text, toolCalls: [] };
  const toolCalls = reply.toolCalls.map(({ name, arguments: given }, index) => ({
    id: `call_${index + 1}`,
    type: 'function' as const,
    function: { name, arguments: JSON.stringify(given) },
  }));
  return { text: null, toolCalls };
}

const finishOf = ({ toolCalls }: Message): string => (toolCalls.length > 0 ? 'tool_calls' : 'stop');

/** Estimates one token for every four characters. */
function usage(prompt: string, { text, toolCalls }: Message) {
  const [promptTokens, completionTokens] = [prompt, `${text ?? ''}${JSON.stringify(toolCalls)}`].map(
    (words) => Math.ceil(words.length / 4),
  );
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: (promptTokens ?? 0) + (completionTokens ?? 0),
  };
}

function completion(model: string, prompt: string, message: Message) {
  const { text: content, toolCalls } = message;
  return {
    ...headOf(model, 'chat.completion'),
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content, ...(toolCalls.length > 0 && { tool_calls: toolCalls }) },
        finish_reason: finishOf(message),
      },
    ],
    usage: usage(prompt, message),
  };
}

/** Returns a chunk for each piece, a final chunk, and one with the usage, as OpenAI does with `stream_options`. */
function chunks(model: string, prompt: string, message: Message): object[] {
  const head = headOf(model, 'chat.completion.chunk');
  const choice = (delta: object, finish: string | null = null) => ({
    ...head,
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  return [
    ...(message.text?.match(PIECE) ?? []).map((content) => choice({ role: 'assistant', content })),
    ...message.toolCalls.map((call, index) =>
      choice({ role: 'assistant', tool_calls: [{ index, ...call }] }),
    ),
    choice({}, finishOf(message)),
    { ...head, choices: [], usage: usage(prompt, message) },
  ];
}

const headOf = (model: string, object: string) => ({ id: 'chatcmpl-stand-in', object, created: 0, model });

/** Returns the user's last message. A model without a script repeats it. */
function lastWords(messages: unknown): string {
  if (!Array.isArray(messages)) return '';
  const users = messages.filter((message: unknown) => roleOf(message) === 'user');
  const content: unknown = (users.at(-1) as { content?: unknown } | undefined)?.content;
  if (typeof content === 'string') return content;
  return Array.isArray(content)
    ? content.map((part: { text?: unknown }) => (typeof part.text === 'string' ? part.text : '')).join('')
    : '';
}

const roleOf = (message: unknown): unknown => (message as { role?: unknown } | null)?.role;

/** A model's scripted reply. */
export type Reply = Answer | ErrorReply;

type Answer =
  /** A language model's text, or a transcriber's result. */
  | (Manner & { text: string })
  /** Tool calls of a language model. */
  | (Manner & { toolCalls: readonly { name: string; arguments: unknown }[] });

/** An HTTP error status. */
type ErrorReply = Manner & { status: number };

const isErrorReply = (reply: Reply): reply is ErrorReply => 'status' in reply;

interface Manner {
  /** Delay before the first byte; 0 by default. */
  delayMs?: number;
  /** Delay between the pieces of a streamed reply; 0 by default. */
  betweenPiecesMs?: number;
  /** Cuts the connection after this many pieces of a streamed reply. */
  cutAfterPieces?: number;
}

/** A request as received, with its body parsed. */
interface TakenRequest {
  path: string;
  authorization: string | null;
  body: Readonly<Record<string, unknown>>;
  /** Time it was received, by `performance.now()`. */
  takenAtMs: number;
  /** Time just before its response began; null until then. */
  answeredAtMs: number | null;
}

class Scripts {
  private readonly replies = new Map<string, Reply[]>();
  private readonly taken = new Map<string, TakenRequest[]>();

  set(model: string, replies: readonly Reply[]): void {
    this.replies.set(model, [...replies]);
  }

  /** Returns the next reply and keeps repeating the last one; undefined for a model without a script. */
  next(model: string): Reply | undefined {
    const left = this.replies.get(model);
    return left === undefined || left.length <= 1 ? left?.[0] : left.shift();
  }

  note(model: string, request: TakenRequest): void {
    this.taken.set(model, [...this.requestsOf(model), request]);
  }

  requestsOf(model: string): readonly TakenRequest[] {
    return this.taken.get(model) ?? [];
  }
}
