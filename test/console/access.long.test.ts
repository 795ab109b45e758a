import { issueSignInLink } from '../../api/console/sign-in-link';
import { freePort, releasePort } from '../../dev/stack/ports';
import { openDoorway } from '../../dev/talk/doorway';
import { openOrganization } from '../../dev/talk/organization';
import { describeWith } from '../servers/availability';
import { ConsolePage } from './support/console-page';
import { openConsole, type ConsoleRig } from './support/open-console';

describeWith('chromium', 'access to the console', () => {
  let rig: ConsoleRig;

  beforeAll(async () => {
    rig = await openConsole();
  });
  afterAll(() => rig.close());

  test('rejects a wrong key, and opens the requested page with a valid one', async () => {
    const on = await ConsolePage.open(rig);
    await on.goto('/calls');
    await on.signIn('not-an-api-key');
    await on.reads(/key/i);
    await on.page.getByRole('alert').waitFor();
    await on.signIn(rig.api.organization.key);
    await on.heading('Calls');
    await on.press('Sign out');
    await on.heading('Sign in');
    expect(on.faults).toEqual([]);
    await on.close();
  });

  test("signs in with an operator's link only once, and removes its token from the URL and the history", async () => {
    const { db, clock, organization } = rig.api;
    const actor = { kind: 'operator', id: 'Asha', requestId: null } as const;
    const { path } = await issueSignInLink(
      db,
      { organizationId: organization.id, of: { person: 'Asha' }, actor },
      clock.now(),
    );
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

  test('opens the page for trying an agent from the URL that npm run talk prints, until the command ends', async () => {
    const organization = await openOrganization(rig.api.databaseUrl);
    const port = await freePort(0);
    const pageUrl = `${rig.api.url}/console/try`;
    const { issueSignIn } = organization;
    const doorway = await openDoorway({ port, pageUrl, issueSignIn, onUsed: () => undefined });
    const on = await ConsolePage.open(rig);
    await on.page.goto(doorway.addressFor('front-desk'));
    await on.heading('Try an agent');
    expect(on.page.url()).toBe(`${pageUrl}?agent=front-desk`);
    await on.reads('Key npm run talk: page');
    expect(await on.page.getByRole('link', { name: 'Keys' }).count()).toBe(0);
    await organization.close();
    await on.page.reload();
    await on.heading('Sign in');
    expect(on.faults).toEqual([]);
    await on.close();
    await doorway.close();
    releasePort(port);
  });

  test('transfers at most 250 KiB (compressed) on the first load', async () => {
    const on = await ConsolePage.signedIn(rig);
    await on.heading('Campaigns');
    await on.page.waitForLoadState('load');
    const bytes = await on.loadedBytes();
    expect(bytes).toBeGreaterThan(50 * 1024);
    expect(bytes).toBeLessThan(250 * 1024);
    await on.close();
  });
});
