import { issueSignInLink } from '../../api/console/sign-in-link';
import { describeWith } from '../servers/availability';
import { ConsolePage, type Looks } from './support/console-page';
import { openConsole, type ConsoleRig } from './support/open-console';
import { newShift, type Shift } from './support/shift';
import { STATIC_RULES } from './support/static-rules';

/** Of the ten pages of a test, on a machine that others load. */
jest.setTimeout(180_000);

describeWith('chromium', 'everybody can use the console', () => {
  let rig: ConsoleRig;
  let shift: Shift;

  beforeAll(async () => {
    rig = await openConsole();
    shift = await newShift(rig.api);
    const json = { identity: { greeting_message: { agent_message: 'Namaste.' } } };
    await rig.api.ask(`/api/agent/${shift.agentId}/persona`, { method: 'PATCH', json });
  });
  afterAll(() => rig.close());

  test('a key that is wrong is said to be, and one that is right opens the page that was asked for', async () => {
    const on = await ConsolePage.open(rig);
    await on.goto('/calls');
    await on.signIn('no-key-of-anybody');
    await on.reads(/key/i);
    await on.page.getByRole('alert').waitFor();
    await on.signIn(rig.api.client.key);
    await on.heading('Calls');
    await on.press('Sign out');
    await on.heading('Sign in');
    expect(on.faults).toEqual([]);
    await on.close();
  });

  test('a link of the operators signs in once, and leaves neither history nor address with its token', async () => {
    const { db, clock, client } = rig.api;
    const actor = { kind: 'operator', id: 'Asha', requestId: null } as const;
    const { path } = await issueSignInLink(db, { clientId: client.id, keyId: null, actor }, clock.now());
    const on = await ConsolePage.open(rig);
    await on.goto(path.slice('/console'.length));
    await on.heading('Campaigns');
    expect(on.page.url()).toBe(`${rig.api.url}/console/campaigns`);
    const again = await ConsolePage.open(rig);
    await again.goto(path.slice('/console'.length));
    await again.heading('Sign in');
    await again.page.getByRole('alert').waitFor();
    await on.close();
    await again.close();
  });

  test('the first load is 250 KiB at most, compressed', async () => {
    const on = await ConsolePage.signedIn(rig);
    await on.heading('Campaigns');
    await on.page.waitForLoadState('load');
    const bytes = await on.loadedBytes();
    expect(bytes).toBeGreaterThan(50 * 1024);
    expect(bytes).toBeLessThan(250 * 1024);
    await on.close();
  });

  const looks: [string, Looks, string[]][] = [
    ['light', {}, STATIC_RULES],
    // The same page in other colours, and in another width.
    ['dark', { colorScheme: 'dark' }, ['color-contrast']],
    ['on a phone', { width: 360 }, ['color-contrast', 'scrollable-region-focusable']],
  ];
  test.each(looks)(
    'axe finds nothing on any page, %s, and none is wider than its window',
    async (_name, look, rules) => {
      const on = await ConsolePage.open(rig, look);
      await on.goto('/');
      expect(await on.axe(rules)).toEqual([]);
      await on.signIn(rig.api.client.key);
      // Else the next page is opened before there is a session.
      await on.heading('Campaigns');
      for (const [path, heading] of [
        ['/campaigns', 'Campaigns'],
        [`/campaigns/${shift.campaignId}`, 'November check-ups'],
        [`/calls/${shift.calls.refund}`, 'Asha Rao'],
        ['/campaigns/new', 'New campaign'],
        ['/calls', 'Calls'],
        ['/agents', 'Agents'],
        [`/agents/${shift.agentId}`, 'Check-up reminder'],
        [`/agents/${shift.agentId}?section=versions&version=1`, 'Check-up reminder'],
        [`/agents/${shift.agentId}?section=analysis&try=true`, 'Check-up reminder'],
        [`/calls/${shift.calls.refund}?said=refund`, 'Asha Rao'],
        ['/operations', 'Operations'],
        ['/audit', 'Audit'],
        ['/keys', 'Keys'],
      ] as const) {
        await on.goto(path);
        await on.heading(heading);
        expect([path, await on.axe(rules)]).toEqual([path, []]);
        expect([path, await on.overflow()]).toEqual([path, 0]);
      }
      expect(on.faults).toEqual([]);
      await on.close();
    },
  );

  test('a campaign is paused with the keyboard alone, and the focus comes back', async () => {
    const on = await ConsolePage.open(rig);
    await on.goto('/');
    const { keyboard } = on.page;
    await on.page.getByLabel('API key').waitFor();
    await keyboard.type(rig.api.client.key);
    await keyboard.press('Enter');
    await on.heading('Campaigns');
    await on.tabTo('November check-ups');
    await keyboard.press('Enter');
    await on.heading('November check-ups');
    await on.tabTo('Pause');
    await keyboard.press('Enter');
    await on.page.getByRole('alertdialog').waitFor();
    await keyboard.press('Escape');
    await on.page.getByRole('alertdialog').waitFor({ state: 'detached' });
    expect(await on.focused()).toBe('Pause');
    await keyboard.press('Enter');
    await on.page.getByRole('alertdialog').waitFor();
    await on.tabTo('Pause');
    await keyboard.press('Enter');
    await on.reads('The campaign is paused: nothing more is dialled.');
    await on.close();
  });
});
