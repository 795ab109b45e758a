import { but, rightRun, violated } from './right-run';
import { type RunStory } from './run-story';

describe('8. everything acknowledged is kept', () => {
  test.each<[string, (story: RunStory) => unknown, string]>([
    [
      'a dispatch without a row',
      (story) => (story.rows.calls = story.rows.calls.filter(({ call_id }) => call_id !== 'never-dialled')),
      'call never-dialled was accepted at 2026-11-02T05:01:00.100Z (acknowledged.jsonl:3) but is missing from Postgres',
    ],
    [
      'a dispatch that never ended',
      (story) => Object.assign(story.callOf('never-dialled'), { stage: 'waiting', call_status: 'queued' }),
      'is still queued at the end of the run',
    ],
    [
      'an edit that was undone',
      (story) => {
        story.edit(200, { concurrency: 1 }).command(201, 'resume');
      },
      'has concurrency 2, but the acknowledged value is 1 (acknowledged.jsonl:4; created with 2)',
    ],
    [
      'an edit that no client requested',
      (story) => (story.campaignRow().days_of_week = 'monday'),
      'has daysOfWeek monday',
    ],
    ['another window', (story) => (story.campaignRow().end_minute = 600), 'has endTime 10:00'],
    [
      'a contact with another number',
      (story) => (story.contact(4).phone_number = '+919800000000'),
      '1 of them differ (rows 4)',
    ],
  ])('reports %s', (_what, change, words) => {
    const story = rightRun()
      .asked(60, 'POST', '/api/trigger-call/', { body: { output: { call_id: 'never-dialled' } } })
      .callRow('never-dialled', { campaign_id: null });
    expect(story.violations()).toEqual({});
    change(story);
    expect(violated(story)).toEqual([8]);
    expect(story.violations()[8]?.[0]).toContain(words);
  });

  test('reports an acknowledged campaign that was deleted or never stored', () => {
    const gone = rightRun();
    gone.rows.campaigns = [];
    expect(gone.violations()[8]).toContain(
      'campaign campaign-1 was acknowledged but is missing from Postgres',
    );
    const other = rightRun().asked(5, 'POST', '/api/campaigns/create', {
      status: 201,
      body: { id: 'campaign-9' },
    });
    expect(violated(other)).toEqual([8]);
  });

  test('reports an acknowledged cancel that had no effect', () => {
    expect(violated(rightRun().command(500, 'cancel'))).toEqual([8]);
    expect(rightRun().command(500, 'cancel', { status: 409 }).violations()).toEqual({});
  });

  test('reports an acknowledged pause or resume that had no effect', () => {
    const unpaused = but((each) => {
      each.command(500, 'pause').campaignRow().status = 'active';
    });
    expect(unpaused.violations()[8]).toEqual([
      expect.stringContaining('campaign campaign-1 is active, but its pause was acknowledged'),
    ]);
    const paused = but((each) => {
      each.command(500, 'pause').command(510, 'resume').campaignRow().status = 'paused';
    });
    expect(paused.violations()[8]).toEqual([
      expect.stringContaining('campaign campaign-1 is paused, but its resume was acknowledged'),
    ]);
  });

  test('accepts the last of two edits, and either result of an edit without a response', () => {
    const story = rightRun()
      .edit(200, { concurrency: 1 })
      .edit(210, { concurrency: 3 })
      .command(211, 'resume');
    story.campaignRow().concurrency = 3;
    expect(story.violations()).toEqual({});
    story.edit(220, { concurrency: 2 }, { status: null });
    expect(story.violations()).toEqual({});
    story.campaignRow().concurrency = 2;
    expect(story.violations()).toEqual({});
    story.campaignRow().concurrency = 1;
    expect(violated(story)).toEqual([8]);
  });

  test('does not treat a rejected request as acknowledged', () => {
    expect(
      rightRun()
        .edit(200, { concurrency: 9 }, { status: 422 })
        .asked(300, 'POST', '/api/trigger-call/', { status: 503 })
        .violations(),
    ).toEqual({});
  });
});
