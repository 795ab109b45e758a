import { randomUUID } from 'node:crypto';
import { openApiDocument } from '../../api/http/openapi/document';
import {
  callEvent,
  campaignEndedEvent,
  statusChangedEvents,
  WEBHOOK_EVENTS,
  type EventDraft,
} from '../../domain/webhook-events';
import { schemaChecker } from './support/openapi-answers';

const NOW = Date.parse('2026-11-03T05:00:00.123Z');

const campaign = {
  id: randomUUID(),
  campaignName: 'November reminders',
  reportedStatus: 'active' as const,
  total: 10,
  completed: 3,
  inProgress: 2,
  failed: 1,
  createdAt: new Date('2026-11-02T04:00:00.000Z'),
};

const call = {
  callId: 'outbound-1-a',
  campaignId: campaign.id,
  campaignName: 'November reminders',
  contactName: 'Asha',
  toNumber: '+919876543210',
  callStatus: 'busy',
  endReason: 'busy',
  durationMs: 0,
  attempt: 2,
  maxAttempts: 3,
  willRetry: true,
  nextAttemptAt: new Date(NOW),
  outcome: null,
  tags: [],
  transcript: '',
  summary: '',
  isCallback: false,
  doNotCall: false,
};

const drafts: EventDraft[] = [
  ...statusChangedEvents(campaign, 'paused', NOW),
  campaignEndedEvent(campaign, 'completed', NOW),
  campaignEndedEvent(campaign, 'cancelled', NOW),
  callEvent('call.completed', call, NOW),
  callEvent('call.no_answer', { ...call, willRetry: false, nextAttemptAt: null }, NOW),
  callEvent('call.failed', call, NOW),
];

const document = openApiDocument([], { publicUrl: 'https://calls.example.test' }) as any;
const validate = schemaChecker(document);
const faultsOf = (event: string, body: unknown) =>
  validate(['webhooks', event, 'post', 'requestBody', 'content', 'application/json', 'schema'], body);

test('documents exactly the events that exist', () => {
  expect(Object.keys(document.webhooks)).toEqual(Object.keys(WEBHOOK_EVENTS));
  expect(drafts.map(({ event }) => event).sort()).toEqual(Object.keys(WEBHOOK_EVENTS).sort());
});

test.each(drafts.map((draft) => [draft.event, draft] as const))(
  'documents every field of %s',
  (event, { payload }) => {
    const body: Record<string, unknown> = { event, event_id: randomUUID(), ...payload };
    expect(faultsOf(event, body)).toEqual([]);
    for (const field of Object.keys(body)) {
      const { [field]: _left, ...rest } = body;
      expect(faultsOf(event, rest)).not.toEqual([]);
    }
    expect(faultsOf(event, { ...body, surplus: 1 })).not.toEqual([]);
  },
);
