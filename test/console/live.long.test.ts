import type { Locator } from 'playwright-core';
import { instantInBothZones } from '../../console/src/format/time';
import { newCall } from '../api/support/rows';
import type { ConsolePage } from './support/console-page';
import { describeManager, type Manager } from './support/describe-manager';

jest.setTimeout(120_000);

const card = (on: ConsolePage, name: string): Locator => on.page.getByRole('region', { name, exact: true });

/** Waits until the figure with this label shows the value. */
const shows = (on: ConsolePage, of: string, value: string): Promise<void> =>
  card(on, of).filter({ hasText: value }).waitFor();

const inZones = (iso: string): string => instantInBothZones(iso, 'Asia/Kolkata');

/** Ends the ringing call as busy and makes another call wait for a line, as the engine does. */
async function advance({ rig, shift }: Manager): Promise<void> {
  const { db, clock } = rig.api;
  const now = new Date(clock.time);
  await db('calls').where({ call_id: shift.calls.ringing }).update({
    stage: 'over',
    call_status: 'busy',
    end_reason: 'busy',
    ended_at: now,
    concluded_at: now,
  });
  const { id, name, phone_number } = await db('contacts')
    .where({ campaign_id: shift.campaignId, row_number: 6 })
    .first();
  await newCall(rig.api, {
    agent_id: shift.agentId,
    campaign_id: shift.campaignId,
    contact_id: id,
    attempt: 1,
    name,
    to_number: phone_number,
    stage: 'waiting',
  });
  await db('campaigns')
    .where({ id: shift.campaignId })
    .update({ in_progress_contacts: 0, failed_contacts: 2 });
}

describeManager('a manager who watches a campaign', ({ check }) => {
  check('sees changes of the campaign without a page reload', async (manager) => {
    const { rig, shift, on } = manager;
    let loads = 0;
    await on.reach('November check-ups');
    on.page.on('load', () => (loads += 1));
    await on.reads('Live updates');
    await shows(on, 'Now', 'Lines in use1 of 2');
    await shows(on, 'Now', 'Waiting for a line0 calls');
    await shows(on, 'Now', 'Dialled3 in the last minute');
    await shows(on, 'Now', `the next redial is due ${inZones('2026-11-02T05:30:00Z')}`);
    await shows(on, 'Now', `the window closes ${inZones('2026-11-02T10:30:00Z')}`);
    await shows(on, 'Now', 'No answer1 50 %');
    await shows(on, 'Progress', 'Not reached1');

    await advance(manager);
    await shows(on, 'Now', 'Lines in use0 of 2');
    await shows(on, 'Now', 'Waiting for a line1 call');
    await shows(on, 'Now', 'Busy1 33 %');
    await shows(on, 'Progress', 'Not reached2');

    // Simulates another user, who pauses the campaign through the API.
    await rig.api.ask(`/api/campaigns/${shift.campaignId}/pause`, { method: 'POST' });
    await shows(on, 'Now', 'Paused: waiting for resume');
    await on.page.getByRole('button', { name: 'Resume' }).waitFor();
    const why = 'the spend of the day reached its limit';
    await rig.api.db('campaigns').where({ id: shift.campaignId }).update({ status_reason: why });
    await shows(on, 'Now', `Why it’s waiting${why}`);
    expect(loads).toBe(0);
  });

  check('sees in the list how many lines each campaign uses', async ({ rig, shift, on }) => {
    const row = on.page.getByRole('row', { name: /November check-ups/ });
    await row.getByText('0 of 2', { exact: true }).waitFor();
    await rig.api
      .db('calls')
      .where({ campaign_id: shift.campaignId, stage: 'waiting' })
      .update({ stage: 'granted', granted_at: new Date(rig.api.clock.time) });
    await row.getByText('1 of 2', { exact: true }).waitFor();
  });

  check('sees that live updates have stopped, and reconnects', async ({ on }) => {
    await on.page.route('**/api/campaigns/*/live', (route) => route.fulfill({ status: 503 }));
    await on.reach('November check-ups');
    await on.reads('Live updates stopped');
    await shows(on, 'Progress', 'Not reached2');
    await on.page.unroute('**/api/campaigns/*/live');
    await on.press('Reconnect');
    await on.reads('Live updates');
    await shows(on, 'Now', 'Lines in use');
  });

  check('sees every event of a call in order', async ({ shift, on }) => {
    await on.goto(`/calls/${shift.calls.refund}`);
    const events = card(on, 'Timeline').getByRole('listitem');
    await events.filter({ hasText: 'attempt 5: HTTP 503' }).first().waitFor();
    expect((await events.allTextContents()).map((event) => event.replace(/^[^A-Z]*/, ''))).toEqual([
      'Accepted',
      'Dialled',
      'Rang',
      'Answered',
      'Ended: hung up by the agent or the platform',
      'Findings ready',
      'Webhook call.completed, attempt 5: HTTP 503',
    ]);
  });
});
