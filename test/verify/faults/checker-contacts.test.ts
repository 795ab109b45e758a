import { but, rightRun } from './right-run';
import { CAMPAIGN, RunStory } from './run-story';

describe('5. every contact ends once, and the counts agree', () => {
  test.each<[string, (story: RunStory) => unknown, string]>([
    [
      'a contact that never ended',
      (story) => story.settle(CAMPAIGN, 4, 'pending').counted(),
      'row 4 of campaign campaign-1 is still pending at the end of the run',
    ],
    [
      'a contact that is still being dialled',
      (story) => story.settle(CAMPAIGN, 4, 'in_progress').counted(),
      'is still in_progress',
    ],
    [
      'a contact that was reached but marked failed',
      (story) => story.settle(CAMPAIGN, 2, 'failed', 'busy').counted(),
      "ended as failed, but the carrier's log says that call call-2-1 was answered",
    ],
    [
      'a contact that was marked completed but never reached',
      (story) => story.settle(CAMPAIGN, 4, 'completed').counted(),
      "the carrier's log has no answered call",
    ],
    [
      'a cancelled contact in a campaign that was not cancelled',
      (story) => story.settle(CAMPAIGN, 4, 'cancelled', 'cancelled').counted(),
      'ended as cancelled',
    ],
    [
      'a contact that expired before the last window',
      (story) => story.settle(CAMPAIGN, 4, 'expired', 'campaign_over').counted(),
      'ended as expired before the last window of its campaign closes at 2026-11-06T10:30',
    ],
    [
      'a duplicate without a matching row',
      (story) => story.settle(CAMPAIGN, 4, 'duplicate').counted(),
      'no other row has its number',
    ],
  ])('reports %s and counts it as lost', (_what, change, words) => {
    const story = but(change);
    expect(story.violations()).toEqual({ 5: [expect.stringContaining(words)] });
    expect(story.verdict().figures.contacts_lost).toBe(1);
  });

  test('reports a contact that was given up although it had dials left', () => {
    const story = new RunStory()
      .campaign([2], { max_retries: 3 })
      .call(2, { fromS: 1, answered: false })
      .counted();
    expect(story.violations()).toEqual({
      5: ['row 2 of campaign campaign-1 ended as failed (no_answer) after 1 of 3 dials'],
    });
  });

  test.each(['completed_contacts', 'failed_contacts', 'in_progress_contacts', 'total_contacts'] as const)(
    'reports a wrong count in %s',
    (name) => {
      const story = but((each) => (each.campaignRow()[name] += 1));
      expect(story.violations()).toEqual({
        5: [expect.stringContaining(`campaign campaign-1 has ${name}`)],
      });
    },
  );

  test('reports a campaign that has not ended', () => {
    const story = but((each) => Object.assign(each.campaignRow(), { status: 'active', ended_at: null }));
    expect(story.violations()[5]).toEqual([
      'campaign campaign-1 has not ended: it is active at the end of the run',
    ]);
  });

  test('reports an end whose event was sent twice, never, or with another status', () => {
    const twice = but((each) =>
      each.delivery('again', 'campaign.completed', { campaign_id: CAMPAIGN, atS: 950 }),
    );
    expect(twice.violations()).toEqual({
      5: [expect.stringContaining('campaign.completed was reported 2 times')],
    });
    const never = but((each) => {
      each.unsent('end-of-campaign-1');
      each.rows.deliveries = each.rows.deliveries.filter(({ id }) => id !== 'end-of-campaign-1');
    });
    expect(never.violations()).toEqual({
      5: [expect.stringContaining('campaign.completed was reported 0 times')],
    });
    const other = but((each) =>
      each.delivery('other', 'campaign.cancelled', { campaign_id: CAMPAIGN, atS: 950 }),
    );
    expect(other.violations()).toEqual({
      5: [expect.stringContaining('is completed, and campaign.cancelled was reported 1 times')],
    });
  });

  test('allows a second delivery of one event around the time of a kill', () => {
    const story = but((each) =>
      each
        .attempt('end-of-campaign-1', { atS: 903, status: 200, recorded: false })
        .killed('worker', 901.5, 903),
    );
    expect(story.violations()).toEqual({});
  });

  test('accepts cancelled contacts of a cancelled campaign, and real duplicates', () => {
    const cancelled = new RunStory().campaign([2, 3], {}, { status: 'cancelled' }).call(2, { fromS: 1 });
    cancelled.command(20, 'cancel').settle(CAMPAIGN, 3, 'cancelled', 'cancelled').counted();
    expect(cancelled.violations()).toEqual({});
    const contacts = [2, 3].map((row) => ({ row, name: 'A contact', phone_number: '09876500002' }));
    const story = new RunStory()
      .campaign([], { contacts })
      .call(2, { fromS: 1 })
      .settle(CAMPAIGN, 3, 'duplicate')
      .counted();
    expect(story.violations()).toEqual({});
  });

  test('accepts a cancelled contact whose call the platform hung up at its deadline', () => {
    const hungUp = (outlasted: boolean) =>
      new RunStory()
        .campaign([4])
        .callRow('call-4-1', { contact_row: 4, call_status: 'cancelled', end_reason: 'platform', outlasted })
        .settle(CAMPAIGN, 4, 'cancelled', 'platform')
        .counted();
    expect(hungUp(true).violations()).toEqual({});
    expect(hungUp(false).violations()).toEqual({ 5: [expect.stringContaining('ended as cancelled')] });
  });

  test("accepts a reached contact if only the carrier's log contains the end of its call", () => {
    const story = rightRun();
    story.carrier = story.carrier.filter(
      ({ line }) => line.kind !== 'event' || line.reference !== 'call-2-1',
    );
    expect(story.violations()).toEqual({});
  });
});
