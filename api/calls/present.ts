import type { RecordedCall } from '../../db/calls/history';
import type { CallBody } from './resource';
import type { UrlSigner } from '../http/signed-url';
import { iso } from '../http/presenters/instant';
import { recordingPath } from './present-recording';
import { hasTranscript, transcriptPath } from './present-transcript';

export function presentCall(call: RecordedCall, signer: UrlSigner): CallBody {
  return {
    call_id: call.callId,
    call_type: call.callType,
    call_status: call.callStatus,
    direction: call.direction,
    agent_name: call.agentName,
    client_name: call.organizationName,
    agent_id: call.agentId,
    client_id: call.organizationId,
    from_number: call.fromNumber,
    to_number: call.toNumber,
    Start_time: iso(call.acceptedAt),
    End_time: iso(call.endedAt),
    duration_ms: call.durationMs,
    call_cost: call.callCost,
    call_summary: call.summary,
    call_entity: call.entity ?? {},
    call_eval_tag: call.evalTag,
    call_conversation_quality: call.conversationQuality ?? {},
    post_processing_status: call.postProcessingStatus,
    call_dialing_at: iso(call.dialingAt),
    call_ringing_at: iso(call.ringingAt),
    user_picked_up_at: iso(call.answeredAt),
    recording_api: call.hasRecording ? signer.sign(recordingPath(call.callId)) : null,
    call_transcription: hasTranscript(call) ? signer.sign(transcriptPath(call.callId)) : null,
    call_metadata: callMetadata(call),
    chat_history: chatHistory(call),
    do_not_call: call.doNotCall,
    callback_requested: call.callbackRequested,
    callback_id: call.callbackId,
    callback_status: call.callbackStatus,
    line_kept_until: iso(call.lineKeptUntil),
  };
}

/** The call's own variables, overridden by our five fields. */
function callMetadata(call: RecordedCall): CallBody['call_metadata'] {
  return {
    ...call.metadata,
    name: call.name,
    phone: isCaller(call) ? call.fromNumber : call.toNumber,
    agent_name: call.agentName,
    agent_id: call.agentId,
    client_id: call.organizationId,
  };
}

/** True if the other person called us by phone. In a browser session they have no number. */
const isCaller = ({ direction, medium }: RecordedCall): boolean =>
  direction === 'Incoming' && medium === 'telephony';

function chatHistory(call: RecordedCall): CallBody['chat_history'] {
  return call.segments.map(({ speaker, text, startMs, endMs, interrupted }) => ({
    role: speaker,
    content: text,
    start_ms: startMs,
    end_ms: endMs,
    interrupted,
  }));
}
