/**
 * The messages of the custom-LLM socket (docs/custom-llm.md), each declared once, in the table: the types of what the agent sends and reads
 * and the AsyncAPI document (`npm run pages`) are made from it.
 */
import type { JsonObject } from './json';
import type { ObjectOf, Shapes } from './shape';

/** What the platform knows of the call, in `req_body` beside the metadata. */
const CALL = {
  x_agent_id: { type: 'text', nullable: true, meaning: 'The header X-Agent-Id of the dispatch' },
  modify_agent: {
    type: 'object',
    fields: {},
    open: true,
    nullable: true,
    meaning: 'Of the dispatch, as it was sent',
  },
  contact_number: {
    type: 'text',
    nullable: true,
    meaning: "The remote party's number; null for browser sessions, and for callers who hide theirs",
  },
} as const satisfies Shapes;

const ENTRY = {
  role: { type: 'word', of: ['system', 'assistant', 'user'] },
  content: { type: 'text' },
} as const satisfies Shapes;

interface MessageDescription {
  /** The field that holds the message's name. */
  namedBy: 'interaction_type' | 'response_type';
  from: readonly ('platform' | 'server')[];
  when: string;
  /** The message but for its name. */
  fields: Shapes;
}

/** Of the messages of a server, fields beyond these are ignored. */
export const CUSTOM_LLM_MESSAGES = {
  response_required: {
    namedBy: 'interaction_type',
    from: ['platform'],
    when: 'Each turn: an answer is needed',
    fields: {
      response_id: {
        type: 'integer',
        least: 1,
        meaning: 'Increases within the call, also over a new connection: only the newest one counts',
      },
      call_id: { type: 'text' },
      transcript: {
        type: 'objects',
        fields: ENTRY,
        meaning: "The whole conversation so far, the agent's instructions first",
      },
      req_body: {
        type: 'object',
        fields: CALL,
        open: true,
        meaning: "Also the contact file's columns, or the dispatch's metadata",
      },
    },
  },
  config: { namedBy: 'interaction_type', from: ['server'], when: 'First; it may hold anything', fields: {} },
  greeting: {
    namedBy: 'interaction_type',
    from: ['server'],
    when: 'Second: what the agent opens with, in place of its own greeting unless it is empty',
    fields: { content: { type: 'text' } },
  },
  response: {
    namedBy: 'response_type',
    from: ['server'],
    when: 'A piece of the answer to a turn',
    fields: {
      response_id: { type: 'integer', meaning: 'Of the turn' },
      content: { type: 'text', nullable: true, optional: true },
      content_complete: { type: 'flag', optional: true, meaning: 'True of the last piece' },
      end_call: {
        type: 'flag',
        optional: true,
        meaning: 'True on any piece: the call ends once the answer was spoken, unless the person interrupts',
      },
    },
  },
  ping_pong: {
    namedBy: 'response_type',
    from: ['server', 'platform'],
    when: 'At any time: it is sent back as it came, with all it holds',
    fields: {},
  },
} as const satisfies Readonly<Record<string, MessageDescription>>;

type Messages = typeof CUSTOM_LLM_MESSAGES;

/** What the platform sends each turn. */
export type TurnRequest = { interaction_type: 'response_required' } & ObjectOf<
  Messages['response_required']['fields']
>;

export type TranscriptEntry = ObjectOf<typeof ENTRY>;

/** A server's message as it came: every field may be missing, or anything. */
export type Unchecked<Name extends keyof Messages> = {
  [Field in keyof Messages[Name]['fields']]?: unknown;
};

/** What the agent is given about the call for `req_body`. */
export type CustomLlmBrief = ObjectOf<typeof CALL> & {
  /** The contact file's columns, or the dispatch's `metadata`. */
  metadata: JsonObject;
};
