import { describeWith } from '../servers/availability';
import type { CampaignRun } from './support/campaign-run';
import { eventually } from './support/eventually';
import { EVERY_KIND, freshNumbers } from './support/numbers';
import { Platform, START_WITHIN_MS } from './support/platform';

/** Includes a callback after a minute, and the line of 99, which reconciliation frees after 20 s without news. */
const CAMPAIGN_WITHIN_MS = 150_000;

const thrice = (reason: string) =>
  [
    [reason, true],
    [reason, true],
    [reason, false],
  ] as const;

describeWith('temporal', 'a campaign with a number of every kind', () => {
  let platform: Platform;
  let campaign: CampaignRun;
  let ended: any;

  beforeAll(async () => {
    // Long enough for six calls to be live at once, even if a busy machine dials them one by one.
    platform = await Platform.open({ ringMs: 500, talkMs: 2_000 });
    campaign = await platform.campaign({
      numbers: freshNumbers(EVERY_KIND),
      concurrency: 6,
      notificationEmails: 'manager@example.com, owner@example.com',
    });
    ended = await campaign.untilOver('completed', CAMPAIGN_WITHIN_MS);
  }, START_WITHIN_MS + CAMPAIGN_WITHIN_MS);
  afterAll(() => platform.close());

  test("ends every contact as the carrier's script says, dials none twice and stays within its lines", async () => {
    await campaign.expectNothingLost();
    expect(campaign.carrier().peakLive).toBe(6);
  });

  test('counts every contact in exactly one of the totals', () => {
    const ends = Object.values(campaign.expectedEnds());
    const completed = ends.filter(({ state }) => state === 'completed').length;
    const total_calls = campaign.numbers.length;
    expect(ended.stats).toEqual({
      total_calls,
      completed,
      pending: 0,
      in_progress: 0,
      failed: total_calls - completed,
    });
  });

  test('notifies the receiver of each dialled call exactly once, with both signatures', () => {
    campaign.expectAllNotified();
    expect(campaign.received('/calls')).toHaveLength(campaign.carrier().dialled.size);
  });

  test("sends one webhook for the campaign's status change and one for its end", async () => {
    // The two webhooks may arrive in any order.
    const received = await eventually(20_000, () => {
      const events = campaign.received('/campaign');
      expect(events).toHaveLength(2);
      return events;
    });
    const [changed, completed] = received.sort((a, b) => (a.event < b.event ? 1 : -1));
    expect(changed).toMatchObject({
      event: 'campaign.status_changed',
      old_status: 'active',
      new_status: 'completed',
      stats: ended.stats,
    });
    expect(completed).toMatchObject({ event: 'campaign.completed', stats: ended.stats });
    expect(Date.parse(completed.ended_at)).toBeGreaterThan(Date.parse(completed.started_at));
  });

  test.each([
    { ending: 75, event: 'call.no_answer', attempts: [['no_answer', true]] },
    { ending: 80, event: 'call.no_answer', attempts: thrice('no_answer') },
    { ending: 85, event: 'call.failed', attempts: thrice('busy') },
    { ending: 88, event: 'call.failed', attempts: [['rejected', false]] },
    { ending: 89, event: 'call.failed', attempts: [['invalid_number', false]] },
    { ending: 92, event: 'call.failed', attempts: thrice('carrier_failure') },
  ] as const)(
    'sends $event for each attempt of $ending, and states whether a redial follows',
    ({ ending, event, attempts }) => {
      const number = campaign.numbers[EVERY_KIND.indexOf(ending)];
      const received = campaign
        .received('/calls')
        .filter(({ contact, event: name }) => contact.phone === number && name === event);
      received.sort((a, b) => a.attempt - b.attempt);
      expect(received).toMatchObject(
        attempts.map(([failure_reason, will_retry], index) => ({
          attempt: index + 1,
          max_attempts: 3,
          failure_reason,
          will_retry,
          transcript: '',
          summary: '',
        })),
      );
      expect(received.map(({ next_attempt_at }) => next_attempt_at !== null)).toEqual(
        attempts.map(([, willRetry]) => willRetry),
      );
    },
  );

  test('returns the transcript and summary of an answered call, but no transcript of an unanswered one', async () => {
    const detailsOf = async (ending: 0 | 80) => {
      const number = campaign.numbers[EVERY_KIND.indexOf(ending)];
      const callId = campaign.received('/calls').find(({ contact }) => contact.phone === number)?.call_id;
      return (await campaign.organization.get(`/api/call_details/${callId}`)).body;
    };
    const answered = await detailsOf(0);
    expect(answered.transcription).toMatch(/^AGENT: Namaste Contact \d+, your check-up in Pune is due\.\n/);
    expect(answered.transcription).toMatch(/^USER: /m);
    expect(answered.summary).not.toBe('');
    expect((await detailsOf(80)).transcription).toBe('Transcript not available for further evaluation');
  });

  test("sends each recipient one e-mail about the campaign's end, with a report on every contact", async () => {
    const mails = await eventually(30_000, () => {
      const caught = platform.stack.mail?.messages ?? [];
      expect(caught).toHaveLength(2);
      return Promise.resolve(caught);
    });
    expect(mails.map(({ recipients }) => recipients.join()).sort()).toEqual([
      'manager@example.com',
      'owner@example.com',
    ]);
    const { completed, total_calls: total } = ended.stats;
    for (const mail of mails) {
      expect(mail.subject).toBe(`Completed: Check-ups (${completed} of ${total} reached)`);
      expect(mail.attachments).toEqual([
        { filename: `campaign-${campaign.id}.csv`, bytes: expect.any(Number) },
      ]);
      for (const number of campaign.numbers) expect(mail.text).not.toContain(number);
    }
  });

  test('shows every attempt in the call history', async () => {
    const { body } = await campaign.organization.get(
      `/api/call-history?campaign_id=${campaign.id}&page_size=200`,
    );
    const ids = body.data.map(({ call_id }: { call_id: string }) => call_id).sort();
    expect(ids).toEqual([...campaign.carrier().dialled].sort());
  });
});
