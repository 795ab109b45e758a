import { timelineOf } from '../../../console/src/calls/timeline';
import type { Call, WebhookDelivery } from '../../../sdk/typescript/generated';

const at = (second: number): string => new Date(Date.UTC(2026, 10, 2, 5, 0, second)).toISOString();

const CALL: Call = {
  call_id: 'outbound-1',
  call_type: 'Outbound',
  call_status: 'completed',
  direction: 'Outbound',
  agent_name: 'Check-up reminder',
  client_name: 'Clinic',
  agent_id: '6f1e4a0e-0000-4000-8000-000000000001',
  client_id: '6f1e4a0e-0000-4000-8000-000000000002',
  from_number: '+918000000000',
  to_number: '+919876543210',
  Start_time: at(0),
  End_time: at(30),
  duration_ms: 20_000,
  call_cost: 1,
  call_summary: null,
  call_entity: {},
  call_eval_tag: null,
  call_conversation_quality: {},
  post_processing_status: 'completed',
  call_dialing_at: at(2),
  call_ringing_at: at(5),
  user_picked_up_at: at(10),
  recording_api: null,
  call_transcription: null,
  call_metadata: {},
  chat_history: [],
  do_not_call: false,
  callback_requested: false,
  callback_id: null,
  callback_status: null,
  line_kept_until: null,
};

const DELIVERY: WebhookDelivery = {
  id: '6f1e4a0e-0000-4000-8000-000000000003',
  event_id: '6f1e4a0e-0000-4000-8000-000000000004',
  event: 'call.completed',
  url: 'https://clinic.example.test/calls',
  campaign_id: null,
  call_id: CALL.call_id,
  status: 'delivered',
  attempts: [],
  next_attempt_at: null,
};

const attempt = (
  number: number,
  second: number,
  status_code: number | null,
  error: string | null = null,
) => ({
  attempt: number,
  at: at(second),
  status_code,
  duration_ms: 100,
  error,
});

const linesOf = (call: Call, deliveries: WebhookDelivery[] = []): string[] =>
  timelineOf(call, deliveries).map(({ at: when, what }) => `${when?.slice(17, 19) ?? '--'} ${what}`);

describe('the timeline of a call', () => {
  test('lists the steps of a call, its end with the findings, and the webhook attempts', () => {
    const deliveries = [
      {
        ...DELIVERY,
        attempts: [
          attempt(1, 31, 503, 'status 503'),
          attempt(2, 36, null, 'ECONNREFUSED'),
          attempt(3, 46, 204),
        ],
      },
    ];
    expect(linesOf(CALL, deliveries)).toEqual([
      '00 Accepted',
      '02 Dialled',
      '05 Rang',
      '10 Answered',
      '30 Ended: hung up by the agent or the platform',
      '-- Findings ready',
      '31 Webhook call.completed, attempt 1: HTTP 503',
      '36 Webhook call.completed, attempt 2: ECONNREFUSED',
      '46 Webhook call.completed, attempt 3: delivered',
    ]);
  });

  test('lists interruptions and actions with their time, but no spoken lines', () => {
    const line = {
      role: 'agent' as const,
      content: 'Hello.',
      start_ms: 0,
      end_ms: 2_000,
      interrupted: false,
    };
    const chat_history = [
      line,
      { ...line, role: 'user' as const, start_ms: 2_000, end_ms: 3_000, interrupted: true },
      { ...line, start_ms: 3_000, end_ms: 4_500, interrupted: true },
      { ...line, role: 'tool' as const, content: 'book_slot', start_ms: 6_000, end_ms: 6_400 },
    ];
    expect(linesOf({ ...CALL, chat_history }).slice(3, 7)).toEqual([
      '10 Answered',
      '14 The person interrupted the agent (0:05 into the conversation)',
      '16 Action: book_slot',
      '30 Ended: hung up by the agent or the platform',
    ]);
  });

  test("lists the person's requests without a time, just before the end", () => {
    const requests = { ...CALL, do_not_call: true, callback_requested: true, callback_status: 'scheduled' };
    expect(linesOf(requests).slice(3)).toEqual([
      '10 Answered',
      '-- The person asked not to be called again',
      '-- The person asked for a callback (scheduled)',
      '30 Ended: hung up by the agent or the platform',
      '-- Findings ready',
    ]);
  });

  test('lists only the known events of a live call and of a call that was never dialled', () => {
    const open = { ...CALL, End_time: null, post_processing_status: 'not_processed' as const };
    expect(linesOf({ ...open, line_kept_until: at(50) }).slice(3)).toEqual([
      '10 Answered',
      '-- The platform lost track of the phone. The phone may still be ringing or connected, so the call keeps its line',
    ]);
    const expired = {
      ...CALL,
      call_status: 'expired',
      call_dialing_at: null,
      call_ringing_at: null,
      user_picked_up_at: null,
      post_processing_status: 'not_processed' as const,
    };
    expect(linesOf(expired)).toEqual([
      '00 Accepted',
      '30 Ended: not dialled, because no line became free before the deadline or the last calling window closed',
    ]);
  });

  test('lists the next attempt of a pending webhook, but not of a failed webhook', () => {
    const pending = { ...DELIVERY, status: 'pending' as const, next_attempt_at: at(31) };
    const failed = { ...DELIVERY, status: 'failed' as const, attempts: [attempt(5, 40, 500)] };
    expect(linesOf(CALL, [failed, pending]).slice(-2)).toEqual([
      '31 Webhook call.completed: first attempt due',
      '40 Webhook call.completed, attempt 5: HTTP 500',
    ]);
    const again = { ...pending, attempts: [attempt(1, 30, 500)], next_attempt_at: at(35) };
    expect(linesOf(CALL, [again]).at(-1)).toBe('35 Webhook call.completed: next attempt due');
  });
});
