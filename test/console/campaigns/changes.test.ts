import { changesOf, termsOf } from '../../../console/src/campaigns/edit/changes';
import type { CampaignDetail } from '../../../sdk/typescript/generated';

const KOLKATA = 'Asia/Kolkata';

const CAMPAIGN: CampaignDetail = {
  id: '0d1f7c1e-6a57-4c52-8f0b-3d1c7e0f9a11',
  campaign_name: 'November check-ups',
  campaign_status: 'active',
  days_of_week: 'monday,friday',
  time_range_from: '04:00:00Z',
  time_range_to: '10:30:00Z',
  window_timezone: 'utc',
  rule_profile: null,
  client_id: '0d1f7c1e-6a57-4c52-8f0b-3d1c7e0f9a12',
  agent_id: '0d1f7c1e-6a57-4c52-8f0b-3d1c7e0f9a13',
  excel_blob_url: 'https://calls.example.test/file',
  contact_source_type: 'csv',
  contact_list_id: null,
  max_retries: 3,
  retry_after_mins: 30,
  call_concurrency: 2,
  start_date: '2026-11-02T00:00:00',
  end_date: '2026-11-30T23:59:59',
  notification_emails: ['asha@example.test', 'ravi@example.test'],
  webhook_url: null,
  per_call_webhook_url: 'https://clinic.example.test/calls',
  perform_dnd_check: true,
  created_at: '2026-11-01T10:00:00.000Z',
  updated_at: '2026-11-01T10:00:00.000Z',
  stats: { total_calls: 2, completed: 0, pending: 2, in_progress: 0, failed: 0 },
  status_reason: null,
  completion_mails: [],
};

const terms = (zone = KOLKATA) => termsOf(CAMPAIGN, zone);

test("shows a campaign's hours in the user's time zone", () => {
  expect(terms()).toMatchObject({
    start: '09:30',
    end: '16:00',
    from: '2026-11-02',
    days: ['monday', 'friday'],
  });
  expect(terms('UTC')).toMatchObject({ start: '04:00', end: '10:30' });
});

test('returns null if no field has changed', () => {
  expect(changesOf(terms(), terms(), KOLKATA)).toBeNull();
  expect(changesOf(terms(), { ...terms(), name: 'November check-ups ' }, KOLKATA)).toBeNull();
});

test.each([
  ['the end of the day', { end: '15:00' }, { end_time: '09:30' }],
  ['the lines', { lines: 5 }, { concurrency: 5 }],
  [
    'an additional weekday, in order',
    { days: ['friday', 'tuesday', 'monday'] as const },
    { days_of_week: 'monday,tuesday,friday' },
  ],
  ['the webhook of each call, removed', { callWebhook: '' }, { per_call_webhook_url: '' }],
  ['the addresses, all removed', { emails: ' ' }, { notification_emails: '' }],
  ['the last day and the dials', { to: '2026-12-01', dials: 1 }, { to_date: '2026-12-01', max_retries: 1 }],
])('sends only the change of %s', (_what, change, sent) => {
  expect(changesOf(terms(), { ...terms(), ...change }, KOLKATA)).toEqual(sent);
});

test('keeps the local hours if the new first day has a different UTC offset', () => {
  const [before, after] = [terms('Europe/Berlin'), { ...terms('Europe/Berlin'), from: '2026-07-01' }];
  expect(changesOf(before, after, 'Europe/Berlin')).toEqual({
    from_date: '2026-07-01',
    start_time: '03:00',
    end_time: '09:30',
  });
});

test("shows hours in the contacts' or a named zone as they are, and sends them unchanged", () => {
  const local = termsOf({ ...CAMPAIGN, window_timezone: 'contact', rule_profile: 'us-tcpa' }, KOLKATA);
  expect(local).toMatchObject({
    start: '04:00',
    end: '10:30',
    windowZone: 'contact',
    ruleProfile: 'us-tcpa',
  });
  expect(changesOf(local, { ...local, windowZone: 'America/Denver', end: '18:00' }, KOLKATA)).toEqual({
    window_timezone: 'America/Denver',
    end_time: '18:00',
  });
  expect(changesOf(local, { ...local, ruleProfile: '' }, KOLKATA)).toEqual({ rule_profile: '' });
  expect(changesOf(local, { ...local, end: '' }, KOLKATA)).toBeNull();
});

test('reads the times in another zone if the zone of the window is changed', () => {
  expect(changesOf(terms(), { ...terms(), windowZone: 'contact' }, KOLKATA)).toEqual({
    window_timezone: 'contact',
    start_time: '09:30',
    end_time: '16:00',
  });
});

test('returns null while a time is missing', () => {
  expect(changesOf(terms(), { ...terms(), start: '' }, KOLKATA)).toBeNull();
});
