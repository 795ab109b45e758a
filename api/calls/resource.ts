import { ANALYSIS_METHODS } from '../../domain/analysis/types';
import { QUOTA_NAMES } from '../../domain/quotas';
import { SCOPES } from '../../db/clients/api-keys';
import { CALL_DIRECTIONS, CALL_TYPES } from '../../domain/call-kind';
import { FINAL_STATUSES, PROGRESS_STATUSES } from '../../domain/call-outcome';
import { POST_PROCESSING_STATUSES } from '../../domain/post-processing';
import { SPEAKERS } from '../../domain/transcript';
import { MODEL_KINDS, MODEL_PURPOSES } from '../../domain/usage-cost';
import { about, either, list, nullable, object, type ValueOf } from '../http/schema/field';
import { address, flag, freeObject, id, integer, number, oneOf, text, timestamp } from '../http/schema/kinds';

const chatMessage = object(
  {
    role: about(oneOf(...SPEAKERS, 'tool'), 'Who said it'),
    content: about(text(), 'What was said'),
    start_ms: about(integer(0), 'Milliseconds since the answer'),
    end_ms: about(integer(0), 'Milliseconds since the answer'),
    interrupted: about(flag(), 'Whether the remote party cut it short'),
  },
  { name: 'ChatMessage' },
);

export const call = object(
  {
    call_id: about(
      text(),
      'Unique; of outbound telephony it starts with outbound-, of inbound with inbound-, of browser sessions with room_',
    ),
    call_type: oneOf(...CALL_TYPES),
    call_status: about(
      text(),
      `In the end one of ${FINAL_STATUSES.join(', ')}; before that ${PROGRESS_STATUSES.join(', ')}`,
      'completed',
    ),
    direction: oneOf(...CALL_DIRECTIONS),
    agent_name: about(text(), 'Display name of the agent'),
    client_name: text(),
    agent_id: id(),
    client_id: id(),
    from_number: about(
      nullable(text()),
      'E.164; web-user in a browser session; null while the carrier has not said which it chose, or where a caller withholds theirs',
    ),
    to_number: about(nullable(text()), 'E.164; null in a browser session', '+919876543210'),
    Start_time: about(timestamp(), 'When the call was accepted'),
    End_time: about(nullable(timestamp()), 'Null until it is over'),
    duration_ms: about(number(0), 'Milliseconds from the answer to the end; 0 unanswered'),
    call_cost: about(number(0), 'Credits, by started minute of talk'),
    call_summary: about(nullable(text()), 'Generated summary'),
    call_entity: about(freeObject(), 'Extracted data; its keys depend on the agent'),
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
      'Streams the recording, signed for 24 hours; null until there is one',
    ),
    call_transcription: about(
      nullable(address()),
      'The transcript, signed for 24 hours; null until there is one',
    ),
    call_metadata: about(
      freeObject(),
      'What was given for the call, over which name, phone, agent_name, agent_id and client_id win',
    ),
    chat_history: list(chatMessage),
    do_not_call: about(flag(), 'Whether the person said that they do not want to be called again'),
    callback_requested: flag(),
    callback_id: nullable(text()),
    callback_status: nullable(text()),
    line_kept_until: about(
      nullable(timestamp()),
      'Of a call whose phone was lost, as its SIP bridge died or LiveKit was away: it may ring or be connected until then',
    ),
  },
  { name: 'Call', description: 'One call attempt' },
);
export type CallBody = ValueOf<typeof call>;

const usedModel = object(
  {
    kind: about(oneOf(...MODEL_KINDS), 'Hearing, thinking or speaking'),
    provider: text(),
    model: text(),
    purpose: about(oneOf(...MODEL_PURPOSES), 'What it was used for'),
    input_tokens: integer(0),
    cached_tokens: about(integer(0), 'Of the input, those that the provider had read before'),
    output_tokens: integer(0),
    characters: integer(0),
    audio_ms: integer(0),
    requests: integer(0),
    cost: about(
      nullable(number(0)),
      "In the currency of the operator's rates; null where there is none for it",
    ),
  },
  { name: 'UsedModel' },
);

const usage = object(
  {
    models: list(usedModel),
    cost: about(nullable(number(0)), 'Of all together; null while that of one is unknown'),
  },
  { name: 'CallUsage' },
);

export const callDetails = object(
  {
    transcription: about(text(), 'Lines prefixed AGENT: and USER:; a fixed text until processed'),
    entity: about(either(freeObject(), text()), 'Extracted entities; a fixed text until processed'),
    conversation_eval: about(either(freeObject(), text()), 'By the agent; a fixed text until processed'),
    summary: about(text(), 'A fixed text until processed'),
    call_eval_tag: about(nullable(text()), 'Null until processed', 'not enough data'),
    analysis_method: about(
      nullable(oneOf(...ANALYSIS_METHODS)),
      'What found the four above: a language model or the built-in rules; null until processed',
    ),
    usage: about(nullable(usage), 'What the call used of models; null where nothing was reported'),
  },
  { name: 'CallDetails' },
);
export type CallDetailsBody = ValueOf<typeof callDetails>;

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
export type TranscriptBody = ValueOf<typeof transcript>;

export const hungUp = object(
  {
    success: about(flag(), 'Always true'),
    call_id: text(),
    call_status: about(text(), 'Where the call stands; it becomes final when the line is free'),
  },
  { name: 'HungUp' },
);

export const limits = object(
  {
    max_concurrency: about(integer(1), 'Most calls of the client at once'),
    caller_lines: about(integer(0), 'Of these, calls of callers at once'),
    live_calls: about(integer(0), 'Calls that hold a line now'),
    waiting_calls: about(integer(0), 'Calls that wait for a line now'),
    rate_limits: object(
      {
        dispatch_per_minute: about(integer(0), 'Dispatches; 0 is no limit'),
        other_per_minute: about(integer(0), 'All other requests; 0 is no limit'),
      },
      { name: 'RateLimits' },
    ),
    brakes: object(
      {
        campaign_spend_per_day: about(nullable(number(0)), 'Credits of a campaign; null is no limit'),
        spend_per_day: about(nullable(number(0)), 'Credits of the client; null is no limit'),
        spent_today: about(number(0), 'Credits that the client has spent'),
        failure_rate: about(
          nullable(number(0, 1)),
          "The share of the latest dials that the carrier may fail, 0 is no limit; null where the operator's setting holds",
        ),
      },
      { name: 'Brakes', description: 'What pauses campaigns by itself; a day is one of UTC' },
    ),
    numbers: about(list(text()), 'Numbers in E.164 that only the client may call from and answer'),
    quotas: about(
      list(
        object(
          {
            name: oneOf(...QUOTA_NAMES),
            used: about(integer(0), 'What the organization keeps now'),
            limit: about(nullable(integer(1)), 'What it may keep; null is no limit'),
          },
          { name: 'Quota' },
        ),
      ),
      'What the organization may keep',
    ),
    scopes: about(list(oneOf(...SCOPES)), 'What the key of the request may do'),
  },
  { name: 'Limits' },
);
export type LimitsBody = ValueOf<typeof limits>;
