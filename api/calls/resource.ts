import { ANALYSIS_METHODS } from '../../domain/analysis/types';
import { QUOTA_NAMES } from '../../domain/quotas';
import { SCOPES } from '../../db/organizations/api-keys';
import { CALL_DIRECTIONS, CALL_TYPES, POST_PROCESSING_STATUSES } from '../../domain/call';
import { FINAL_STATUSES, PROGRESS_STATUSES } from '../../domain/call-outcome';
import { SPEAKERS } from '../../domain/transcript';
import { MODEL_KINDS, MODEL_PURPOSES } from '../../domain/usage-cost';
import { about, either, list, nullable, object, type ValueOf } from '../http/schema/field';
import { address, flag, freeObject, id, integer, number, oneOf, text, timestamp } from '../http/schema/kinds';

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
export type CallBody = ValueOf<typeof call>;

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
    call_status: about(text(), 'Current status. It becomes final once the call has ended'),
  },
  { name: 'HungUp' },
);

export const limits = object(
  {
    max_concurrency: about(integer(1), 'Maximum number of live calls of the organization'),
    caller_lines: about(integer(0), 'How many of these lines callers may use at once'),
    live_calls: about(integer(0), 'Number of calls that hold a line now'),
    waiting_calls: about(integer(0), 'Number of calls that wait for a line now'),
    rate_limits: object(
      {
        dispatch_per_minute: about(integer(0), 'Dispatches; 0 means unlimited'),
        other_per_minute: about(integer(0), 'All other requests; 0 means unlimited'),
      },
      { name: 'RateLimits' },
    ),
    breakers: object(
      {
        campaign_spend_per_day: about(
          nullable(number(0)),
          'Credits that a campaign may spend per day; null means unlimited',
        ),
        spend_per_day: about(
          nullable(number(0)),
          'Credits that the organization may spend per day; null means unlimited',
        ),
        spent_today: about(number(0), 'Credits that the organization has spent today'),
        failure_rate: about(
          nullable(number(0, 1)),
          "Share of recent dials that the carrier may fail before campaigns pause; 0 means unlimited. Null uses the operator's setting",
        ),
      },
      {
        name: 'Breakers',
        description: 'Spend limits and circuit breaker, which pause campaigns automatically. Days are in UTC',
      },
    ),
    numbers: about(list(text()), 'E.164 numbers that only this organization may call from and answer'),
    quotas: about(
      list(
        object(
          {
            name: oneOf(...QUOTA_NAMES),
            used: about(integer(0), 'Amount stored now'),
            limit: about(nullable(integer(1)), 'Maximum amount; null means unlimited'),
          },
          { name: 'Quota' },
        ),
      ),
      'Limits on what the organization may store',
    ),
    scopes: about(list(oneOf(...SCOPES)), 'Scopes of the API key of this request'),
  },
  { name: 'Limits' },
);
export type LimitsBody = ValueOf<typeof limits>;
