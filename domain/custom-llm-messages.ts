/**
 * Messages of the custom-LLM socket (docs/custom-llm.md). The agent's types and the AsyncAPI document (`npm run pages`) are derived from
 * these tables.
 */
import type { JsonObject } from './json';
import type { ObjectOf, Shapes } from './shape';

/** Data about the call in `req_body`, in addition to the metadata. */
const CALL = {
  x_agent_id: { type: 'text', nullable: true, meaning: 'The header X-Agent-Id of the dispatch' },
  modify_agent: {
    type: 'object',
    fields: {},
    open: true,
    nullable: true,
    meaning: 'As sent with the dispatch',
  },
  contact_number: {
    type: 'text',
    nullable: true,
    meaning: "The callee's or caller's number; null for browser sessions and withheld numbers",
  },
} as const satisfies Shapes;

const ENTRY = {
  role: { type: 'word', of: ['system', 'assistant', 'user'] },
  content: { type: 'text' },
} as const satisfies Shapes;

interface MessageDescription {
  /** The field that contains the message's name. */
  namedBy: 'interaction_type' | 'response_type';
  from: readonly ('platform' | 'server')[];
  when: string;
  /** All fields except the name. */
  fields: Shapes;
}

/** Additional fields in a server's messages are ignored. */
export const CUSTOM_LLM_MESSAGES = {
  response_required: {
    namedBy: 'interaction_type',
    from: ['platform'],
    when: 'Each turn, to request an answer',
    fields: {
      response_id: {
        type: 'integer',
        min: 1,
        meaning: 'Increases within the call, even after a reconnect; only the latest counts',
      },
      call_id: { type: 'text' },
      transcript: {
        type: 'objects',
        fields: ENTRY,
        meaning: "The whole conversation so far, starting with the agent's instructions",
      },
      req_body: {
        type: 'object',
        fields: CALL,
        open: true,
        meaning: "Also holds the contact file's columns or the dispatch's metadata",
      },
    },
  },
  config: { namedBy: 'interaction_type', from: ['server'], when: 'First; may hold anything', fields: {} },
  greeting: {
    namedBy: 'interaction_type',
    from: ['server'],
    when: "Second; replaces the agent's own greeting unless empty",
    fields: { content: { type: 'text' } },
  },
  response: {
    namedBy: 'response_type',
    from: ['server'],
    when: 'For each piece of the answer to a turn',
    fields: {
      response_id: { type: 'integer', meaning: 'The `response_id` of the turn' },
      content: { type: 'text', nullable: true, optional: true },
      content_complete: { type: 'flag', optional: true, meaning: 'True in the last piece' },
      end_call: {
        type: 'flag',
        optional: true,
        meaning:
          'If true in any piece, the call ends once the answer has been spoken, unless the user interrupts',
      },
    },
  },
  ping_pong: {
    namedBy: 'response_type',
    from: ['server', 'platform'],
    when: 'At any time; the receiver returns the message unchanged',
    fields: {},
  },
} as const satisfies Readonly<Record<string, MessageDescription>>;

type Messages = typeof CUSTOM_LLM_MESSAGES;

export type TurnRequest = { interaction_type: 'response_required' } & ObjectOf<
  Messages['response_required']['fields']
>;

export type TranscriptEntry = ObjectOf<typeof ENTRY>;

/** A message from a server before validation. */
export type Unchecked<Name extends keyof Messages> = {
  [Field in keyof Messages[Name]['fields']]?: unknown;
};

/** The agent's data for `req_body`. */
export type CustomLlmContext = ObjectOf<typeof CALL> & {
  /** The columns of the contact file, or the `metadata` of the dispatch. */
  metadata: JsonObject;
};
