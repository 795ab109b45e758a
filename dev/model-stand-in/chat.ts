/** Builds a language model's responses in the format of OpenAI's chat completions, both complete and streamed. */
import type { Answer } from './script';

/** Pieces of two words, as a model streams them. */
const PIECE = /\S+\s*\S*\s*/g;

interface Message {
  text: string | null;
  toolCalls: { id: string; type: 'function'; function: { name: string; arguments: string } }[];
}

export function messageOf(reply: Answer): Message {
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

export function completion(model: string, prompt: string, message: Message) {
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
export function chunks(model: string, prompt: string, message: Message): object[] {
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
export function lastWords(messages: unknown): string {
  if (!Array.isArray(messages)) return '';
  const users = messages.filter((message: unknown) => roleOf(message) === 'user');
  const content: unknown = (users.at(-1) as { content?: unknown } | undefined)?.content;
  if (typeof content === 'string') return content;
  return Array.isArray(content)
    ? content.map((part: { text?: unknown }) => (typeof part.text === 'string' ? part.text : '')).join('')
    : '';
}

const roleOf = (message: unknown): unknown => (message as { role?: unknown } | null)?.role;
