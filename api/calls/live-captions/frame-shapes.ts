/**
 * What listeners are sent: JSON text, named by its `type` (docs/live-captions.md). Each frame is declared once, in the table; the type of
 * what is sent, the AsyncAPI document and the types of the clients are made from it (`npm run pages`).
 */
import type { ObjectOf, Shapes } from '../../../domain/shape';
import { SPEAKERS } from '../../../domain/transcript';

const SEGMENT = {
  id: {
    type: 'text',
    meaning:
      'Of a final one its own for good; that of an interim one stands for what this speaker is saying just now',
  },
  call_id: { type: 'text' },
  event_type: { type: 'word', of: ['final', 'interim'] },
  speaker: { type: 'word', of: SPEAKERS },
  text: { type: 'text' },
  timestamp: {
    type: 'number',
    meaning: 'Seconds since the epoch: when speaking it began; of an interim one, when the agent reported it',
  },
  is_final: { type: 'flag' },
  segment_index: { type: 'integer', least: 0 },
  was_interrupted: { type: 'flag' },
  confidence: { type: 'number', nullable: true, meaning: '0 to 1' },
  language: { type: 'text', nullable: true },
  seq: {
    type: 'integer',
    nullable: true,
    meaning: 'Where to resume, as ?after=. Null of an interim one, which cannot be resumed from',
  },
} as const satisfies Shapes;

const CALL = { call_id: { type: 'text' } } as const satisfies Shapes;
const MOMENT = {
  ...CALL,
  timestamp: { type: 'number', meaning: 'Seconds since the epoch' },
} as const satisfies Shapes;
const TURN = { ...MOMENT, speaker: { type: 'word', of: SPEAKERS } } as const satisfies Shapes;

export const CAPTION_FRAMES = {
  connected: {
    when: 'First',
    fields: {
      ...CALL,
      call_status: { type: 'text', meaning: 'As in the call history' },
      answered_at: { type: 'timestamp', nullable: true, meaning: 'Null until somebody answers' },
    },
  },
  history: {
    when: 'Second: all final segments, or those after ?after=',
    fields: { ...CALL, segments: { type: 'objects', fields: SEGMENT, name: 'CaptionSegment' } },
  },
  call_started: { when: 'The call is answered', fields: MOMENT },
  transcript: {
    when: 'Somebody is saying something, or has said it',
    fields: { ...CALL, segment: { type: 'object', fields: SEGMENT, name: 'CaptionSegment' } },
  },
  turn_started: { when: 'One side begins to speak', fields: TURN },
  turn_ended: { when: 'One side ends to speak', fields: TURN },
  agent_thinking: { when: 'The agent prepares its answer', fields: MOMENT },
  interrupted: { when: 'The agent was interrupted', fields: MOMENT },
  call_ended: {
    when: 'Last: the close follows',
    fields: { ...MOMENT, call_status: { type: 'text', meaning: 'As in the call history' } },
  },
} as const satisfies Readonly<Record<string, { when: string; fields: Shapes }>>;

type Frames = typeof CAPTION_FRAMES;

export type CaptionFrame = {
  [Type in keyof Frames]: { type: Type } & ObjectOf<Frames[Type]['fields']>;
}[keyof Frames];

export type SegmentBody = ObjectOf<typeof SEGMENT>;
