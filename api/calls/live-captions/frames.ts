/** Builds the frames that listeners receive. */
import type { CaptionedCall, CaptionedSegment } from '../../../db/calls/live-captions';
import { assertNever } from '../../../domain/assert-never';
import type { LiveItem } from '../../../domain/live-updates';
import type { CaptionFrame, SegmentBody } from './frame-shapes';

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
