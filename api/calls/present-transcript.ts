import { assertNever } from '../../domain/assert-never';
import type { TranscriptBody } from './resource';
import type { CallSegment, RecordedCall } from '../../db/calls/history';

export const transcriptPath = (callId: string): string => `/api/transcript/${callId}`;

/** A live call has no transcript yet, even though it has segments. */
export function hasTranscript(call: Pick<RecordedCall, 'over' | 'segments'>): boolean {
  return call.over && call.segments.length > 0;
}

export function transcriptText(segments: CallSegment[]): string {
  return segments.map(({ speaker, text }) => `${labelOf(speaker)}: ${text}`).join('\n');
}

export function presentTranscript(call: RecordedCall): TranscriptBody {
  return {
    call_id: call.callId,
    transcript: transcriptText(call.segments),
    segments: call.segments.map(({ speaker, text, startMs, endMs }) => ({
      speaker,
      text,
      start_ms: startMs,
      end_ms: endMs,
    })),
  };
}

function labelOf(speaker: CallSegment['speaker']): string {
  switch (speaker) {
    case 'agent':
      return 'AGENT';
    case 'user':
      return 'USER';
    default:
      return assertNever(speaker);
  }
}
