import { describeManager, type Manager } from './support/describe-manager';
import { BAD_FILE, fillCampaign, FIXED_FILE } from './support/new-campaign';

const idOf = async ({ rig }: Manager, name: string): Promise<string> =>
  (await rig.api.db('campaigns').where({ campaign_name: name }).first('id')).id;
const statusOf = async ({ rig }: Manager, id: string) =>
  (await rig.api.ask(`/api/campaigns/${id}`)).body.campaign_status;

describeManager('a manager with only the console', ({ task, check }) => {
  check('sees the progress of each campaign, and its calling hours', async ({ on }) => {
    await on.reads('1 of 7');
    await on.reach('November check-ups');
    await on.reads('04:00–10:30 UTC, 09:30–16:00 Asia/Kolkata');
    await on.reads('Mon, Tue, Fri');
  });

  task('fixes two invalid rows of a contact file, dry-runs the campaign, and starts it', async (manager) => {
    const { rig, on } = manager;
    await on.follow('New campaign');
    await on.page.getByLabel('Contact file').setInputFiles(BAD_FILE);
    await on.reads('phone number');
    await fillCampaign(on, 'December check-ups');
    await on.reads('04:00 UTC');
    await on.reads('2 errors in the file. Fix the file before you start the campaign.');
    await on.reads(/Row 3/);
    await on.reads(/Row 4/);
    await on.reads('Still missing: a file without errors.');
    expect(await on.page.getByRole('button', { name: 'Dry run' }).isDisabled()).toBe(true);
    await on.page.getByLabel('Contact file').setInputFiles(FIXED_FILE);
    await on.press('Dry run');
    await on.reads('Calls by hour');
    await on.press('Start campaign');
    await on.heading('December check-ups');
    const { body: started } = await rig.api.ask(
      `/api/campaigns/${await idOf(manager, 'December check-ups')}`,
    );
    expect(started).toMatchObject({ time_range_from: '04:00:00Z', stats: { total_calls: 2 } });
  });

  task('finds out why a person was not called', async ({ on }) => {
    await on.reach('November check-ups');
    await on.press('Do not disturb');
    // The old rows stay until the filtered list arrives.
    await on.page.getByRole('button', { name: /Ravi Kumar/ }).waitFor({ state: 'detached' });
    await on.page.getByRole('button', { name: /Imran Sheikh/ }).click();
    await on.reads(/do-not-disturb list/);
  });

  task('sees what happened to a contact, and when the campaign will redial it', async ({ on }) => {
    await on.reach('November check-ups');
    await on.page.getByRole('button', { name: /Ravi Kumar/ }).click();
    await on.reads(/attempt 2 of 3/);
    await on.follow('Dial 1');
    await on.heading('Ravi Kumar');
    await on.reads('Nothing was said');
  });

  task('pauses, resumes and cancels a campaign, each after a confirmation', async (manager) => {
    const { on } = manager;
    await on.reach('December check-ups');
    const id = await idOf(manager, 'December check-ups');
    await on.confirm('Pause');
    expect(await statusOf(manager, id)).toBe('paused');
    await on.confirm('Resume');
    expect(await statusOf(manager, id)).not.toBe('paused');
    await on.decline('Cancel campaign');
    expect(await statusOf(manager, id)).not.toBe('cancelled');
    await on.confirm('Cancel campaign');
    expect(await statusOf(manager, id)).toBe('cancelled');
  });

  task('downloads the report of a campaign', async ({ on }) => {
    await on.reach('November check-ups');
    const downloading = on.page.waitForEvent('download');
    await on.follow('CSV');
    expect((await downloading).suggestedFilename()).toMatch(/\.csv$/);
  });

  check('finds a call with a refund request, and plays that sentence', async ({ shift, on }) => {
    await on.reach('Calls');
    await on.page.getByLabel('Status').selectOption({ label: 'Completed' });
    await on.follow('Asha Rao');
    await on.reads('Wants refund');
    await on.page.getByRole('button', { name: /I want a refund/ }).click();
    const audio = on.page.locator('audio');
    // Checks in one step, because the highlight moves on after two seconds.
    await on.page.waitForFunction(() => {
      const { document } = globalThis as any;
      const { paused, currentTime } = document.querySelector('audio');
      const line = document.querySelector('.line[aria-current=true]');
      return !paused && currentTime >= 2 && line?.textContent.includes('I want a refund');
    });
    expect(await audio.getAttribute('src')).toBe(`/api/stream/${shift.calls.refund}`);
    await on.page.locator('.wave path.agent').waitFor({ state: 'attached' });
    await on.page.locator('.wave path.user').waitFor({ state: 'attached' });
  });

  check('follows a live call', async ({ shift, on }) => {
    await on.goto(`/calls/${shift.calls.ringing}`);
    await on.reads('Live');
    await on.reads('Nothing has been said yet');
  });

  task('ends a ringing call', async ({ rig, shift, on }) => {
    await on.reach('Calls');
    await on.page.getByLabel('Status').selectOption({ label: 'Ringing' });
    await on.follow('Meera Nair');
    await on.confirm('Hang up');
    const { hang_up_requested_at: requestedAt } = await rig.api
      .db('calls')
      .where({ call_id: shift.calls.ringing })
      .first();
    expect(requestedAt).not.toBeNull();
  });

  task('redelivers yesterday’s failed webhooks, but no others', async ({ rig, shift, on }) => {
    const yesterday = new Date(rig.api.clock.time - 86_400_000).toISOString().slice(0, 10);
    await on.reach('Operations');
    await on.reads('call.completed');
    await on.press('Redeliver all');
    await on.page.getByLabel('First day (UTC)').fill(yesterday);
    await on.page.getByLabel('Last day (UTC)').fill(yesterday);
    await on.answer('Redeliver all');
    await on.reads('1 delivery is being redelivered.');
    const { today, yesterday: redelivered, earlier } = shift.deliveries;
    const found = await rig.api.db('webhook_deliveries').whereIn('id', [today, redelivered, earlier]);
    expect(Object.fromEntries(found.map(({ id, status }) => [id, status]))).toEqual({
      [today]: 'failed',
      [redelivered]: 'pending',
      [earlier]: 'failed',
    });
  });
});
