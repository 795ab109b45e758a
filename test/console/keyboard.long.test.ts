import { describeWith } from '../servers/availability';
import { ConsolePage } from './support/console-page';
import { focusedIn, walk } from './support/keyboard-walk';
import { openConsole, type ConsoleRig } from './support/open-console';
import { pagesOf } from './support/pages';
import { newShift, type Shift } from './support/shift';

/** Long, because a test opens many pages, possibly on a busy machine. */
jest.setTimeout(300_000);

describeWith('chromium', 'a keyboard user', () => {
  let rig: ConsoleRig;
  let shift: Shift;
  beforeAll(async () => {
    rig = await openConsole();
    shift = await newShift(rig.api);
    const json = { identity: { greeting_message: { agent_message: 'Namaste.' } } };
    await rig.api.ask(`/api/agent/${shift.agentId}/persona`, { method: 'PATCH', json });
  });
  afterAll(() => rig.close());

  test('reaches every control on every page, sees which control has the focus, and can leave the page', async () => {
    const on = await ConsolePage.signedIn(rig);
    await on.heading('Campaigns');
    for (const [path, heading] of pagesOf(shift)) {
      await on.goto(path);
      await on.heading(heading);
      await on.page.locator('.loading').first().waitFor({ state: 'detached' });
      expect([path, await walk(on.page)]).toEqual([path, { missed: [], unmarked: [], isThrough: true }]);
    }
    await on.close();
  });

  test('stays inside a dialog until the dialog closes, and then returns to the control that opened it', async () => {
    const on = await ConsolePage.signedIn(rig);
    await on.heading('Campaigns');
    for (const [path, action] of [
      [`/campaigns/${shift.campaignId}`, 'Cancel campaign'],
      [`/contact-lists/${shift.listId}`, 'Delete list'],
      [`/calls/${shift.calls.ringing}`, 'Hang up'],
      [`/agents/${shift.agentId}?section=versions&version=1`, 'Restore'],
      ['/operations', 'Redeliver all'],
      ['/operations', 'Resume all campaigns'],
      ['/operations', 'Pause all campaigns'],
      ['/keys', 'New secret'],
    ] as const) {
      await on.goto(path);
      await on.page.getByRole('button', { name: action, exact: true }).focus();
      await on.page.keyboard.press('Enter');
      const dialog = on.page.getByRole('alertdialog');
      // The dialog takes the focus only after it appears.
      await dialog.locator(':focus').waitFor();
      expect([action, await focusedIn(on.page, 12)]).toEqual([action, ['dialog']]);
      await on.page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await on.untilFocused(action);
    }
    await on.close();
  });

  test('returns to the Pause button after dismissing the dialog, and can then pause the campaign', async () => {
    const on = await ConsolePage.open(rig);
    await on.goto('/');
    const { keyboard } = on.page;
    await on.page.getByLabel('API key').waitFor();
    await keyboard.type(rig.api.organization.key);
    await keyboard.press('Enter');
    await on.heading('Campaigns');
    await on.page.getByRole('link', { name: 'November check-ups' }).waitFor();
    await on.tabTo('November check-ups');
    await keyboard.press('Enter');
    await on.heading('November check-ups');
    await on.page.getByRole('button', { name: 'Pause', exact: true }).waitFor();
    await on.tabTo('Pause');
    await keyboard.press('Enter');
    await on.page.getByRole('alertdialog').locator(':focus').waitFor();
    await keyboard.press('Escape');
    await on.page.getByRole('alertdialog').waitFor({ state: 'detached' });
    await on.untilFocused('Pause');
    await keyboard.press('Enter');
    // The dialog takes the focus only after it appears.
    await on.page.getByRole('alertdialog').locator(':focus').waitFor();
    await on.tabTo('Pause');
    await keyboard.press('Enter');
    await on.reads('Campaign paused. No more contacts will be dialled.');
    await on.close();
  });
});
