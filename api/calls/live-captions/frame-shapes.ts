/**
 * The frames that listeners receive: JSON text, distinguished by `type` (docs/live-captions.md). The table is the only declaration. The
 * TypeScript types, the AsyncAPI document and the client types are generated from it (`npm run pages`).
 */
import type { ObjectOf, Shapes } from '../../../domain/shape';
import { SPEAKERS } from '../../../domain/transcript';

const SEGMENT = {
  id: {
    type: 'text',
    meaning:
      'Unique for a final segment. Interim segments of a speaker share one id for what is being said right now',
  },
  call_id: { type: 'text' },
  event_type: { type: 'word', of: ['final', 'interim'] },
  speaker: { type: 'word', of: SPEAKERS },
  text: { type: 'text' },
  timestamp: {
    type: 'number',
    meaning: 'Seconds since the epoch: start of the speech or, for an interim segment, time of the report',
  },
  is_final: { type: 'flag' },
  segment_index: { type: 'integer', least: 0 },
  was_interrupted: { type: 'flag' },
  confidence: { type: 'number', nullable: true, meaning: '0 to 1' },
  language: { type: 'text', nullable: true },
  seq: {
    type: 'integer',
    nullable: true,
    meaning: 'Position to resume from with ?after=. Null for an interim segment',
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
    when: 'First frame',
    fields: {
      ...CALL,
      call_status: { type: 'text', meaning: '`call_status` as in the call history' },
      answered_at: { type: 'timestamp', nullable: true, meaning: 'Null until the call is answered' },
    },
  },
  history: {
    when: 'Second frame: all final segments, or those after ?after=',
    fields: { ...CALL, segments: { type: 'objects', fields: SEGMENT, name: 'CaptionSegment' } },
  },
  call_started: { when: 'The call is answered', fields: MOMENT },
  transcript: {
    when: 'A speaker is talking (interim segment) or has finished a segment (final)',
    fields: { ...CALL, segment: { type: 'object', fields: SEGMENT, name: 'CaptionSegment' } },
  },
  turn_started: { when: 'A speaker starts to talk', fields: TURN },
  turn_ended: { when: 'A speaker stops talking', fields: TURN },
  agent_thinking: { when: 'The agent is preparing its reply', fields: MOMENT },
  interrupted: { when: 'The agent was interrupted', fields: MOMENT },
  call_ended: {
    when: 'Last frame, before the socket closes',
    fields: { ...MOMENT, call_status: { type: 'text', meaning: '`call_status` as in the call history' } },
  },
} as const satisfies Readonly<Record<string, { when: string; fields: Shapes }>>;

type Frames = typeof CAPTION_FRAMES;

export type CaptionFrame = {
  [Type in keyof Frames]: { type: Type } & ObjectOf<Frames[Type]['fields']>;
}[keyof Frames];

export type SegmentBody = ObjectOf<typeof SEGMENT>;
