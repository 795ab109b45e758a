/** Runs all axe rules on every page, and on what pages show after an action. */
import { describeWith } from '../servers/availability';
import { ConsolePage, type Appearance } from './support/console-page';
import { BAD_FILE, fillCampaign, FIXED_FILE } from './support/new-campaign';
import { openConsole, type ConsoleRig } from './support/open-console';
import { pagesOf } from './support/pages';
import { Reads } from './support/reads';
import { newShift, type Shift } from './support/shift';

/** Long, because a test opens many pages, possibly on a busy machine. */
jest.setTimeout(300_000);

/** Rules that Swagger UI's markup violates. We don't modify that markup. */
const OF_SWAGGER_UI = ['color-contrast', 'heading-order', 'nested-interactive', 'region', 'select-name'];

interface Scene {
  on: ConsolePage;
  shift: Shift;
  /** Expects that axe finds no violation in the page's current state. */
  check: (what: string) => Promise<void>;
}

const APPEARANCES: [name: string, appearance: Appearance][] = [
  ['light', {}],
  ['dark', { colorScheme: 'dark' }],
  ['on a phone', { width: 360 }],
];

/** Opens and checks the confirmation dialog of each action. */
async function dialogs({ on, check }: Scene, path: string, actions: readonly string[]): Promise<void> {
  await on.goto(path);
  for (const action of actions) {
    await on.page.getByRole('button', { name: action, exact: true }).first().click();
    const dialog = on.page.getByRole('alertdialog');
    await dialog.waitFor();
    await check(`${path}: ${action}`);
    await on.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  }
}

async function signingIn({ on, check }: Scene): Promise<void> {
  await on.press('Sign out');
  await on.heading('Sign in');
  await check('sign-in');
  await on.signIn('not-an-api-key');
  await on.page.getByRole('alert').waitFor();
  await check('sign-in that failed');
}

async function startingACampaign({ on, check }: Scene): Promise<void> {
  await on.goto('/campaigns/new');
  await on.page.getByText('More options').click();
  await on.page.getByLabel('Contact file').setInputFiles(BAD_FILE);
  await fillCampaign(on, 'December check-ups');
  await on.reads('2 errors in the file');
  await check('errors in a file');
  await on.page.getByLabel('Contact file').setInputFiles(FIXED_FILE);
  await on.press('Dry run');
  await on.reads('Calls by hour');
  await check('dry run');
  await on.page.getByLabel('Time zone of the window').selectOption('contact');
  await on.press('Dry run');
  await on.reads(/When each time zone can be called/);
  await check('dry run with local windows');
}

async function fillingAList({ on, shift, check }: Scene): Promise<void> {
  await on.goto(`/contact-lists/${shift.listId}`);
  await on.page.getByRole('button', { name: /Zoya Mirza/ }).click();
  await on.reads('Source of the consent');
  await on.page.getByLabel('Contact file').setInputFiles(BAD_FILE);
  await on.reads('2 rows were skipped');
  await check('skipped rows of a list');
  await dialogs({ on, check } as Scene, `/contact-lists/${shift.listId}`, ['Delete list', 'Remove']);
}

async function followingACampaign({ on, shift, check }: Scene): Promise<void> {
  await on.goto(`/campaigns/${shift.campaignId}`);
  await on.page.getByRole('button', { name: /Ravi Kumar/ }).click();
  await on.reads('Dial 1');
  await check('opened story');
  await on.page.getByText('Add contacts', { exact: true }).click();
  await on.page.getByLabel('Or contacts as text').fill('Asha');
  await on.press('Add');
  await on.page.getByRole('alert').waitFor();
  await check('form that adds contacts');
  await on.press('Edit');
  await check('edited campaign');
}

async function tryingAnAgent({ on, shift, check }: Scene): Promise<void> {
  await on.goto(`/try?agent=${shift.agentId}`);
  await on.press('Start talking');
  await on.page.getByRole('alert').waitFor();
  await check('session without a microphone');
}

async function changingAnAgent({ on, shift, check }: Scene): Promise<void> {
  await on.goto(`/agents/${shift.agentId}?section=experience`);
  await on.page.getByLabel('Sound', { exact: true }).fill('x'.repeat(256));
  await on.reads('Use at most 255 characters. There are 256 now.');
  await check('text that is too long');
  await on.page.getByLabel('Sound', { exact: true }).fill('cafe');
  await on.press('Save');
  await on.reads('Saved. New calls will use it.');
  await check('notice');
}

async function operating({ on, check }: Scene): Promise<void> {
  await on.goto('/operations');
  await on.page.getByText('Add a number').click();
  await on.page.getByLabel('Number', { exact: true }).fill('12');
  await on.press('Add');
  await on.page.getByRole('alert').waitFor();
  await check('invalid number');
  await on.page.getByLabel('Number', { exact: true }).fill('098765 43299');
  await on.press('Add');
  await on.page.getByRole('cell', { name: '+919876543299' }).waitFor();
  await check('number on the list');
  await dialogs({ on, check } as Scene, '/operations', [
    'Remove',
    'Redeliver all',
    'Resume all campaigns',
    'Pause all campaigns',
  ]);
}

async function creatingAKey({ on, check }: Scene): Promise<void> {
  await on.goto('/keys');
  await on.page.getByLabel('Purpose').fill('Night reports');
  await on.press('Create key');
  await on.page.getByLabel('API key', { exact: true }).waitFor();
  await check('new key');
}

async function waiting({ on, shift, check }: Scene): Promise<void> {
  for (const path of ['/campaigns', `/calls/${shift.calls.refund}`, '/operations', '/keys']) {
    const reads = await Reads.hold(on.page, /\/(api\/(?!console\/session)|readyz)/);
    await on.goto(path);
    // Waits for the layout's loading indicator, because the gate shows a different heading while it reads the session.
    await on.page.locator('#content .loading').first().waitFor();
    await on.page.getByRole('status', { name: 'Loading the page' }).waitFor({ state: 'detached' });
    await on.page.getByRole('heading', { level: 1 }).waitFor();
    expect([`${path} loads`, await on.axeAtOnce()]).toEqual([`${path} loads`, []]);
    await reads.fail();
    await on.page.getByRole('button', { name: 'Try again' }).first().waitFor();
    await check(`${path} that failed`);
    await reads.end();
  }
}

describeWith('chromium', 'the console, checked by axe', () => {
  let rig: ConsoleRig;
  let shift: Shift;
  beforeAll(async () => {
    rig = await openConsole();
    shift = await newShift(rig.api);
    const json = { identity: { greeting_message: { agent_message: 'Namaste.' } } };
    await rig.api.ask(`/api/agent/${shift.agentId}/persona`, { method: 'PATCH', json });
  });
  afterAll(() => rig.close());

  async function withScene(appearance: Appearance, run: (scene: Scene) => Promise<void>): Promise<void> {
    const on = await ConsolePage.signedIn(rig, appearance);
    await on.heading('Campaigns');
    const check = async (what: string): Promise<void> => {
      expect([what, await on.axe()]).toEqual([what, []]);
      expect([what, await on.overflow()]).toEqual([what, 0]);
    };
    await run({ on, shift, check });
    expect(on.faults).toEqual([]);
    await on.close();
  }

  describe.each(APPEARANCES)('%s', (_name, appearance) => {
    test('finds no violation on any page, and no page that is wider than its window', () =>
      withScene(appearance, async ({ on, check }) => {
        for (const [path, heading] of pagesOf(shift)) {
          await on.goto(path);
          await on.heading(heading);
          await check(path);
        }
      }));

    test.each([
      ['finds no violation while a page loads and after loading fails', waiting],
      ['finds no violation on the sign-in page', signingIn],
      ['finds no violation while the user creates a campaign', startingACampaign],
      ['finds no violation while the user fills a contact list', fillingAList],
      ['finds no violation on the page of a campaign', followingACampaign],
      ['finds no violation in the form of an agent', changingAnAgent],
      ['finds no violation while the user tries an agent', tryingAnAgent],
      ['finds no violation on the operations page', operating],
      ['finds no violation after the user creates a key', creatingAKey],
    ])('%s', (_what, scene) => withScene(appearance, scene));

    test('finds no violation in any dialog', () =>
      withScene(appearance, async (scene) => {
        await dialogs(scene, `/campaigns/${shift.campaignId}`, ['Pause', 'Cancel campaign']);
        await dialogs(scene, `/calls/${shift.calls.ringing}`, ['Hang up']);
        await dialogs(scene, `/agents/${shift.agentId}?section=versions&version=1`, ['Restore']);
        await dialogs(scene, '/keys', ['Revoke', 'New secret']);
      }));

    test('finds no violation in an organization without data', async () => {
      const empty = { ...rig, api: { ...rig.api, organization: rig.api.stranger } };
      const on = await ConsolePage.signedIn(empty, appearance);
      await on.reads('No campaigns yet');
      for (const path of [
        '/campaigns',
        '/contact-lists',
        '/calls',
        '/agents',
        '/try',
        '/operations',
        '/keys',
        '/nowhere',
      ]) {
        await on.goto(path);
        await on.page.locator('.empty').first().waitFor();
        expect([path, await on.axe()]).toEqual([path, []]);
      }
      await on.close();
    });

    test('finds no violation on the API page', async () => {
      const on = await ConsolePage.open(rig, appearance);
      await on.page.goto(`${rig.api.url}/api/docs`);
      await on.page.locator('.opblock').first().waitFor();
      const found = await on.axe();
      expect(found.filter((each) => !OF_SWAGGER_UI.some((rule) => each.startsWith(`${rule}: `)))).toEqual([]);
      await on.close();
    });
  });
});
