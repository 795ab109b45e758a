import { CAMPAIGN_STATUSES } from '../../domain/campaign-status';
import {
  callEvent,
  campaignEndedEvent,
  statusChangedEvents,
  type CallEventSource,
  type CampaignEventSource,
} from '../../domain/webhook-events';

const NOW = Date.parse('2026-11-03T05:00:00.123Z');

const campaign: CampaignEventSource = {
  id: 'c-1',
  campaignName: 'November reminders',
  reportedStatus: 'active',
  total: 10,
  completed: 3,
  inProgress: 2,
  failed: 1,
  createdAt: new Date('2026-11-02T04:00:00.000Z'),
};

const call: CallEventSource = {
  callId: 'outbound-1-a',
  campaignId: 'c-1',
  campaignName: 'November reminders',
  contactName: 'Asha',
  toNumber: '+919876543210',
  callStatus: 'completed',
  endReason: 'agent',
  durationMs: 61_499,
  attempt: 2,
  maxAttempts: 3,
  willRetry: false,
  nextAttemptAt: null,
  outcome: 'interested',
  tags: ['callback'],
  transcript: 'AGENT: Hello.',
  summary: 'They talked.',
  isCallback: false,
  doNotCall: false,
};

describe('campaign.status_changed', () => {
  test('contains exactly the fields of the interface', () => {
    expect(statusChangedEvents(campaign, 'paused', NOW)).toEqual([
      {
        event: 'campaign.status_changed',
        payload: {
          campaign_id: 'c-1',
          campaign_name: 'November reminders',
          old_status: 'active',
          new_status: 'paused',
          timestamp: '2026-11-03T05:00:00.123Z',
          stats: { total_calls: 10, completed: 3, pending: 4, in_progress: 2, failed: 1 },
        },
      },
    ]);
  });

  test('names the spend limit that paused the campaign', () => {
    const [event] = statusChangedEvents(campaign, 'paused', NOW, 'spend limit');
    expect(event?.payload).toMatchObject({ new_status: 'paused', status_reason: 'spend limit' });
  });

  test('sends only statuses that are reported to receivers, and does not repeat the last one', () => {
    const sent = CAMPAIGN_STATUSES.filter((status) => statusChangedEvents(campaign, status, NOW).length > 0);
    expect(sent).toEqual(['paused', 'completed', 'cancelled']);
  });

  test('sends the last reported status as the old one, regardless of changes in between', () => {
    const paused: CampaignEventSource = { ...campaign, reportedStatus: 'paused' };
    expect(statusChangedEvents(paused, 'scheduled', NOW)).toEqual([]);
    expect(statusChangedEvents(paused, 'active', NOW)[0]?.payload).toMatchObject({
      old_status: 'paused',
      new_status: 'active',
    });
  });
});

describe("the event of a campaign's end", () => {
  test.each([
    ['completed', 'campaign.completed'],
    ['cancelled', 'campaign.cancelled'],
  ] as const)('reports a %s campaign with the event %s, including start and end', (status, event) => {
    expect(campaignEndedEvent(campaign, status, NOW)).toEqual({
      event,
      payload: {
        campaign_id: 'c-1',
        campaign_name: 'November reminders',
        old_status: 'active',
        new_status: status,
        timestamp: '2026-11-03T05:00:00.123Z',
        stats: { total_calls: 10, completed: 3, pending: 4, in_progress: 2, failed: 1 },
        started_at: '2026-11-02T04:00:00.000Z',
        ended_at: '2026-11-03T05:00:00.123Z',
      },
    });
  });
});

describe('call.completed', () => {
  const base = {
    call_id: 'outbound-1-a',
    campaign_id: 'c-1',
    campaign_name: 'November reminders',
    contact: { name: 'Asha', phone: '+919876543210' },
    call_status: 'completed',
    call_duration_seconds: 61,
    call_outcome: 'interested',
    call_tags: ['callback'],
    transcript: 'AGENT: Hello.',
    summary: 'They talked.',
    timestamp: '2026-11-03T05:00:00.123Z',
  };

  test('contains exactly the fields of the interface', () => {
    expect(callEvent('call.completed', call, NOW)).toEqual({ event: 'call.completed', payload: base });
  });

  test('marks a callback in the webhook', () => {
    const callback = callEvent('call.completed', { ...call, isCallback: true }, NOW);
    expect(callback.payload).toEqual({ ...base, is_callback: true });
  });

  test('marks a call in which the person opted out of future calls', () => {
    const refused = callEvent('call.completed', { ...call, doNotCall: true }, NOW);
    expect(refused.payload).toEqual({ ...base, do_not_call: true });
  });

  test('rounds the talk time in seconds', () => {
    const seconds = (durationMs: number) =>
      callEvent('call.completed', { ...call, durationMs }, NOW).payload.call_duration_seconds;
    expect([0, 499, 500, 1_500, 600_000].map(seconds)).toEqual([0, 0, 1, 2, 600]);
  });

  test('uses the status as the outcome if there is no analysis', () => {
    expect(callEvent('call.completed', { ...call, outcome: null }, NOW).payload.call_outcome).toBe(
      'completed',
    );
  });

  const unanswered: CallEventSource = {
    ...call,
    callStatus: 'no answer',
    endReason: 'no_answer',
    durationMs: 0,
    willRetry: true,
    nextAttemptAt: new Date('2026-11-03T05:30:00.000Z'),
    outcome: null,
    tags: [],
    transcript: '',
    summary: '',
  };

  test.each(['call.no_answer', 'call.failed'] as const)(
    'adds the attempt and the next attempt to %s',
    (event) => {
      expect(callEvent(event, unanswered, NOW)).toEqual({
        event,
        payload: {
          ...base,
          call_status: 'no answer',
          call_duration_seconds: 0,
          call_outcome: 'no answer',
          call_tags: [],
          transcript: '',
          summary: '',
          attempt: 2,
          max_attempts: 3,
          failure_reason: 'no_answer',
          will_retry: true,
          next_attempt_at: '2026-11-03T05:30:00.000Z',
        },
      });
    },
  );

  test('returns no next attempt after the last one', () => {
    const last = { ...unanswered, willRetry: false, nextAttemptAt: null };
    expect(callEvent('call.failed', last, NOW).payload).toMatchObject({
      will_retry: false,
      next_attempt_at: null,
    });
  });
});
