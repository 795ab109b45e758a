/** Response schemas of calls and their presenters. */
import type { CallSegment, RecordedCall } from '../../db/calls/history';
import type { CallFigures, PricedModel } from '../../db/calls/reports';
import { ANALYSIS_METHODS } from '../../domain/analysis/types';
import { assertNever } from '../../domain/assert-never';
import { CALL_DIRECTIONS, CALL_TYPES, POST_PROCESSING_STATUSES } from '../../domain/call';
import { FINAL_STATUSES, PROGRESS_STATUSES } from '../../domain/call-outcome';
import { SPEAKERS } from '../../domain/transcript';
import { MODEL_KINDS, MODEL_PURPOSES, totalCost } from '../../domain/usage-cost';
import { iso } from '../http/responses';
import { address, flag, freeObject, id, integer, number, oneOf, text, timestamp } from '../http/schema/kinds';
import type { UrlSigner } from '../http/auth/signed-url';
import { about, either, list, nullable, object, type ValueOf } from '../http/schema/field';

const chatMessage = object(
  {
    role: about(oneOf(...SPEAKERS, 'tool'), 'Speaker of this message'),
    content: about(text(), 'What was said'),
    start_ms: about(integer(0), 'Start, in milliseconds since the call was answered'),
    end_ms: about(integer(0), 'End, in milliseconds since the call was answered'),
    interrupted: about(flag(), 'True if the other speaker interrupted it'),
  },
  { name: 'ChatMessage' },
);

export const call = object(
  {
    call_id: about(
      text(),
      'Unique. Starts with outbound- for outbound phone calls, inbound- for inbound ones and room_ for browser sessions',
    ),
    call_type: oneOf(...CALL_TYPES),
    call_status: about(
      text(),
      `Final: one of ${FINAL_STATUSES.join(', ')}. Before that: ${PROGRESS_STATUSES.join(', ')}`,
      'completed',
    ),
    direction: oneOf(...CALL_DIRECTIONS),
    agent_name: about(text(), 'Display name of the agent'),
    client_name: text(),
    agent_id: id(),
    client_id: id(),
    from_number: about(
      nullable(text()),
      'E.164; web-user in a browser session. Null until the carrier reports which number it used, or if the caller withholds theirs',
    ),
    to_number: about(nullable(text()), 'E.164; null in a browser session', '+919876543210'),
    Start_time: about(timestamp(), 'When the call was accepted'),
    End_time: about(nullable(timestamp()), 'Null until the call has ended'),
    duration_ms: about(number(0), 'Milliseconds from answer to end; 0 if unanswered'),
    call_cost: about(number(0), 'Credits, charged per started minute of talk'),
    call_summary: about(nullable(text()), 'Generated summary'),
    call_entity: about(freeObject(), 'Extracted data. The keys depend on the agent'),
    call_eval_tag: about(nullable(text()), 'Evaluation tag'),
    call_conversation_quality: about(
      freeObject(),
      'score, sentiment, agent_talk_ratio, interruptions, avg_response_ms, p95_response_ms; empty until processed',
    ),
    post_processing_status: oneOf(...POST_PROCESSING_STATUSES),
    call_dialing_at: nullable(timestamp()),
    call_ringing_at: nullable(timestamp()),
    user_picked_up_at: nullable(timestamp()),
    recording_api: about(
      nullable(address()),
      'URL of the recording, signed for 24 hours. Null until there is one',
    ),
    call_transcription: about(
      nullable(address()),
      'URL of the transcript, signed for 24 hours. Null until there is one',
    ),
    call_metadata: about(
      freeObject(),
      'Variables of the call. The fields name, phone, agent_name, agent_id and client_id take precedence over them',
    ),
    chat_history: list(chatMessage),
    do_not_call: about(flag(), 'True if the person asked not to be called again'),
    callback_requested: flag(),
    callback_id: nullable(text()),
    callback_status: nullable(text()),
    line_kept_until: about(
      nullable(timestamp()),
      'Set if the connection to the phone was lost because its SIP bridge died or LiveKit was unavailable. Until then the call may still ring or be connected, so it keeps its line',
    ),
  },
  { name: 'Call', description: 'One call attempt' },
);
type CallBody = ValueOf<typeof call>;

const usedModel = object(
  {
    kind: about(oneOf(...MODEL_KINDS), 'Speech-to-text, language model or text-to-speech'),
    provider: text(),
    model: text(),
    purpose: about(oneOf(...MODEL_PURPOSES), 'Purpose of the usage'),
    input_tokens: integer(0),
    cached_tokens: about(integer(0), 'Input tokens that the provider had cached'),
    output_tokens: integer(0),
    characters: integer(0),
    audio_ms: integer(0),
    requests: integer(0),
    cost: about(
      nullable(number(0)),
      "In the currency of the operator's rates. Null if there is no rate for the model",
    ),
  },
  { name: 'UsedModel' },
);

const usage = object(
  {
    models: list(usedModel),
    cost: about(nullable(number(0)), 'Total cost. Null if the cost of any model is unknown'),
  },
  { name: 'CallUsage' },
);

export const callDetails = object(
  {
    transcription: about(text(), 'Lines prefixed AGENT: and USER:. A fixed text until processed'),
    entity: about(either(freeObject(), text()), 'Extracted entities. A fixed text until processed'),
    conversation_eval: about(
      either(freeObject(), text()),
      'Evaluation as configured in the agent. A fixed text until processed',
    ),
    summary: about(text(), 'Summary of the call. A fixed text until processed'),
    call_eval_tag: about(nullable(text()), 'Null until processed', 'not enough data'),
    analysis_method: about(
      nullable(oneOf(...ANALYSIS_METHODS)),
      'Whether a language model or the built-in rules produced the four fields above. Null until processed',
    ),
    usage: about(nullable(usage), 'Usage of models. Null if none was reported'),
  },
  { name: 'CallDetails' },
);
type CallDetailsBody = ValueOf<typeof callDetails>;

export const transcript = object(
  {
    call_id: text(),
    transcript: about(text(), 'Lines prefixed AGENT: and USER:'),
    segments: list(
      object(
        { speaker: oneOf(...SPEAKERS), text: text(), start_ms: integer(0), end_ms: integer(0) },
        { name: 'TranscriptSegment' },
      ),
    ),
  },
  { name: 'Transcript' },
);
type TranscriptBody = ValueOf<typeof transcript>;

export const hungUp = object(
  {
    success: about(flag(), 'Always true'),
    call_id: text(),
    call_status: about(text(), 'Current status. It becomes final once the call has ended'),
  },
  { name: 'HungUp' },
);

const NOT_AVAILABLE = 'Transcript not available for further evaluation';

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
    recording_api: call.hasRecording ? signer.sign(`/api/stream/${call.callId}`) : null,
    call_transcription: hasTranscript(call) ? signer.sign(`/api/transcript/${call.callId}`) : null,
    call_metadata: callMetadata(call),
    chat_history: chatHistory(call),
    do_not_call: call.doNotCall,
    callback_requested: call.callbackRequested,
    callback_id: call.callbackId,
    callback_status: call.callbackStatus,
    line_kept_until: iso(call.lineKeptUntil),
  };
}

/** The call's variables, plus five fields of ours that override variables of the same name. */
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

/** True if the person called us by phone. A person in a browser session has no number. */
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

export function presentCallDetails(call: RecordedCall, { models, method }: CallFigures): CallDetailsBody {
  const usage = presentUsage(models);
  if (call.postProcessingStatus !== 'completed') {
    return {
      transcription: NOT_AVAILABLE,
      entity: NOT_AVAILABLE,
      conversation_eval: NOT_AVAILABLE,
      summary: NOT_AVAILABLE,
      call_eval_tag: null,
      analysis_method: null,
      usage,
    };
  }
  return {
    transcription: transcriptText(call.segments),
    entity: call.entity ?? {},
    conversation_eval: call.conversationEval ?? {},
    summary: call.summary ?? '',
    call_eval_tag: call.evalTag,
    analysis_method: method ?? 'rules',
    usage,
  };
}

function presentUsage(models: PricedModel[]): CallDetailsBody['usage'] {
  if (models.length === 0) return null;
  return { models: models.map(presentModel), cost: totalCost(models.map(({ cost }) => cost)) };
}

const presentModel = (used: PricedModel) => ({
  kind: used.kind,
  provider: used.provider,
  model: used.model,
  purpose: used.purpose,
  input_tokens: used.inputTokens,
  cached_tokens: used.cachedTokens,
  output_tokens: used.outputTokens,
  characters: used.characters,
  audio_ms: used.audioMs,
  requests: used.requests,
  cost: used.cost,
});

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
