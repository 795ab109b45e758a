import type { CaptionedCall, CaptionedSegment } from '../../../db/calls/live-captions';
import { assertNever } from '../../../domain/assert-never';
import type { LiveItem } from '../../../domain/live-updates';
import type { ObjectOf, Shapes } from '../../../domain/shape';
import { SPEAKERS } from '../../../domain/transcript';

/**
 * The frames that listeners receive: JSON text, distinguished by `type` (docs/live-captions.md). The table is the only declaration. The
 * TypeScript types, the AsyncAPI document and the client types are generated from it (`npm run pages`).
 */

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
  segment_index: { type: 'integer', min: 0 },
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

type SegmentBody = ObjectOf<typeof SEGMENT>;

export const connectedFrame = ({ callId, callStatus, answeredAt }: CaptionedCall): CaptionFrame => ({
  type: 'connected',
  call_id: callId,
  call_status: callStatus,
  answered_at: answeredAt?.toISOString() ?? null,
});

export const historyFrame = (call: CaptionedCall): CaptionFrame => ({
  type: 'history',
  call_id: call.callId,
  segments: call.segments.map((segment) => segmentBody(call, segment)),
});

export const transcriptFrame = (call: CaptionedCall, segment: CaptionedSegment): CaptionFrame => ({
  type: 'transcript',
  call_id: call.callId,
  segment: segmentBody(call, segment),
});

export const startFrame = ({ callId }: CaptionedCall, answeredAt: Date): CaptionFrame => ({
  type: 'call_started',
  call_id: callId,
  timestamp: answeredAt.getTime() / 1000,
});

export const endFrame = ({ callId, callStatus, endedAt, acceptedAt }: CaptionedCall): CaptionFrame => ({
  type: 'call_ended',
  call_id: callId,
  call_status: callStatus,
  timestamp: (endedAt ?? acceptedAt).getTime() / 1000,
});

/** `nextIndex` is the index of the next final segment. Returns null if the update lacks a speaker that its frame needs. */
export function liveFrame({ callId, update }: LiveItem, nextIndex: number): CaptionFrame | null {
  const { kind, speaker, text = '' } = update;
  const timestamp = Date.parse(update.at) / 1000;
  switch (kind) {
    case 'turn_started':
    case 'turn_ended':
      return speaker === undefined ? null : { type: kind, call_id: callId, speaker, timestamp };
    case 'interrupted':
    case 'agent_thinking':
      return { type: kind, call_id: callId, timestamp };
    case 'transcript': {
      if (speaker === undefined) return null;
      const segment: SegmentBody = {
        id: `${callId}.${speaker}`,
        call_id: callId,
        event_type: 'interim',
        speaker,
        text,
        timestamp,
        is_final: false,
        segment_index: nextIndex,
        was_interrupted: false,
        confidence: null,
        language: null,
        seq: null,
      };
      return { type: 'transcript', call_id: callId, segment };
    }
    default:
      return assertNever(kind);
  }
}

function segmentBody({ callId, acceptedAt, answeredAt }: CaptionedCall, said: CaptionedSegment): SegmentBody {
  const { seq, speaker, text, startMs, interrupted, confidence, language } = said;
  return {
    id: `${callId}.${seq}`,
    call_id: callId,
    event_type: 'final',
    speaker,
    text,
    timestamp: ((answeredAt ?? acceptedAt).getTime() + startMs) / 1000,
    is_final: true,
    segment_index: seq - 1,
    was_interrupted: interrupted,
    confidence,
    language,
    seq,
  };
}
