import type { RecordedCall } from '../../db/call-history';
import type { CallDetailsBody } from '../resources/call';
import { transcriptText } from './transcript';

export const NOT_AVAILABLE = 'Transcript not available for further evaluation';

export function presentCallDetails(call: RecordedCall): CallDetailsBody {
  if (call.postProcessingStatus !== 'completed') {
    return {
      transcription: NOT_AVAILABLE,
      entity: NOT_AVAILABLE,
      conversation_eval: NOT_AVAILABLE,
      summary: NOT_AVAILABLE,
      call_eval_tag: null,
    };
  }
  return {
    transcription: transcriptText(call.segments),
    entity: call.entity ?? {},
    conversation_eval: call.conversationEval ?? {},
    summary: call.summary ?? '',
    call_eval_tag: call.evalTag,
  };
}
