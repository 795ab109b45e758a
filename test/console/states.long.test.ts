/** Tests what pages show while they load, after a failure, and without data. */
import { ConsolePage } from './support/console-page';
import { describeManager } from './support/describe-manager';
import { Reads } from './support/reads';
import type { Shift } from './support/shift';

jest.setTimeout(120_000);

interface Shown {
  path: (shift: Shift) => string;
  /** Requests to hold back. */
  which: RegExp;
  /** Names of the page's loading indicators. */
  loads: string[];
  /** Text that appears once the requests complete. */
  then: RegExp;
}

const EVERYTHING = /\/(api\/(?!console\/session)|readyz)/;

const PAGES: [page: string, shown: Shown][] = [
  ['campaigns', { path: () => '/campaigns', which: EVERYTHING, loads: ['the campaigns'], then: /1 of 7/ }],
  [
    'one campaign',
    {
      path: ({ campaignId }) => `/campaigns/${campaignId}`,
      which: EVERYTHING,
      loads: ['the campaign'],
      then: /Still to call/,
    },
  ],
  [
    'the parts of a campaign',
    {
      path: ({ campaignId }) => `/campaigns/${campaignId}`,
      which: /\/(contacts|forecast)/,
      loads: ['the forecast', 'the contacts'],
      then: /Imran Sheikh/,
    },
  ],
  [
    'contact lists',
    { path: () => '/contact-lists', which: EVERYTHING, loads: ['the contact lists'], then: /Patients/ },
  ],
  [
    'one contact list',
    {
      path: ({ listId }) => `/contact-lists/${listId}`,
      which: EVERYTHING,
      loads: ['the contact list'],
      then: /Kabir Bose/,
    },
  ],
  [
    'the contacts of a list',
    {
      path: ({ listId }) => `/contact-lists/${listId}`,
      which: /\/contacts/,
      loads: ['the contacts'],
      then: /Kabir Bose/,
    },
  ],
  ['calls', { path: () => '/calls', which: EVERYTHING, loads: ['the calls'], then: /Ravi Kumar/ }],
  [
    'one call',
    {
      path: ({ calls }) => `/calls/${calls.refund}`,
      which: EVERYTHING,
      loads: ['the call'],
      then: /I want a refund/,
    },
  ],
  [
    'the parts of a call',
    {
      path: ({ calls }) => `/calls/${calls.refund}`,
      which: /\/api\/(call_details|webhook-deliveries|stream)/,
      loads: ['the waveform', 'the deliveries', 'the findings'],
      then: /Wants refund/,
    },
  ],
  ['agents', { path: () => '/agents', which: EVERYTHING, loads: ['the agents'], then: /Check-up reminder/ }],
  [
    'one agent',
    {
      path: ({ agentId }) => `/agents/${agentId}`,
      which: /\/api\/agent\//,
      loads: ['the agent'],
      then: /System prompt/,
    },
  ],
  [
    'the form of an agent',
    {
      path: ({ agentId }) => `/agents/${agentId}`,
      which: /openapi\.json/,
      loads: ['the form'],
      then: /System prompt/,
    },
  ],
  [
    'the versions of an agent',
    {
      path: ({ agentId }) => `/agents/${agentId}?section=versions&version=1`,
      which: /\/versions|version=1/,
      loads: ['the version', 'the versions'],
      then: /Current/,
    },
  ],
  [
    'the page for trying an agent',
    { path: () => '/try', which: EVERYTHING, loads: ['the agents'], then: /Start talking/ },
  ],
  [
    'operations',
    {
      path: () => '/operations',
      which: EVERYTHING,
      loads: ['the deliveries', 'the do-not-disturb list', 'the capacity', 'the limits', 'the health'],
      then: /call\.completed/,
    },
  ],
  [
    'audit',
    {
      path: () => '/audit',
      which: EVERYTHING,
      loads: ['the audit log'],
      then: /of check-ups|November check-ups/,
    },
  ],
  ['keys', { path: () => '/keys', which: EVERYTHING, loads: ['the keys', 'the secrets'], then: /Last used/ }],
];

const EMPTY = [
  ['/campaigns', 'No campaigns yet'],
  ['/campaigns?status=paused', 'No campaigns with this status'],
  ['/campaigns/new', 'No agents yet. Create one on the Agents page.'],
  ['/contact-lists', 'No contact lists yet'],
  ['/calls', 'No calls yet'],
  ['/calls?status=busy', 'No matching calls'],
  ['/agents', 'No agents yet'],
  ['/try', 'No agents yet'],
  ['/operations', 'No failed deliveries'],
  ['/operations', 'The list is empty'],
  ['/audit?action=key.revoke', 'No matching changes'],
  ['/keys', 'No secrets yet'],
  ['/nowhere', 'This page doesn’t exist'],
] as const;

const loading = ({ page }: ConsolePage) => page.locator('.loading[role=status]');
const problems = ({ page }: ConsolePage) => page.getByRole('alert');
const retries = ({ page }: ConsolePage) => page.getByRole('button', { name: 'Try again' });

/** Waits until nothing is loading and this many errors offer a retry. */
async function failed(on: ConsolePage, count: number): Promise<void> {
  await retries(on)
    .nth(count - 1)
    .waitFor();
  await loading(on).first().waitFor({ state: 'detached' });
}

/** Clicks all retry buttons at once, because each success moves the others. */
const retryAll = (on: ConsolePage): Promise<void> =>
  retries(on).evaluateAll((all) => all.forEach((each) => (each as unknown as { click(): void }).click()));

describeManager('the console of a slow, unreachable or empty service', ({ check }) => {
  describe.each(PAGES)('%s', (_page, { path, which, loads, then }) => {
    check('shows a loading indicator, then the error, and works after a retry', async ({ on, shift }) => {
      const reads = await Reads.hold(on.page, which);
      await on.goto(path(shift));
      for (const each of loads)
        await on.page.getByRole('status', { name: `Loading ${each}`, exact: true }).waitFor();
      // Waits until the requests that aren't held back have completed.
      await loading(on).nth(loads.length).waitFor({ state: 'detached' });
      expect(await loading(on).count()).toBe(loads.length);
      await reads.fail();
      await failed(on, loads.length);
      const texts = await problems(on).allTextContents();
      expect(texts.filter((text) => !text.startsWith('Something went wrong on the server'))).toEqual([]);
      // Every error offers a retry.
      expect(await retries(on).count()).toBe(texts.length);
      await reads.letThrough();
      await retryAll(on);
      await problems(on).first().waitFor({ state: 'detached' });
      await on.reads(then);
      await reads.end();
    });
  });

  check('shows an error if the choices of a form fail to load, and loads them on a retry', async ({ on }) => {
    const reads = await Reads.hold(on.page, /\/api\/agents/);
    await on.goto('/campaigns/new');
    await on.page.getByRole('option', { name: 'Loading…' }).waitFor({ state: 'attached' });
    await reads.fail();
    await failed(on, 1);
    await reads.letThrough();
    await on.press('Try again');
    await on.page.getByRole('option', { name: 'Check-up reminder' }).waitFor({ state: 'attached' });
    await problems(on).waitFor({ state: 'detached' });
    await reads.end();
  });

  check('shows an error if the session fails to load, and opens the console on a retry', async ({ on }) => {
    const reads = await Reads.hold(on.page, /\/api\/console\/session/);
    await on.goto('/agents');
    await on.page.getByRole('status', { name: 'Loading the console' }).waitFor();
    await reads.fail();
    await failed(on, 1);
    await reads.letThrough();
    await on.press('Try again');
    await on.heading('Agents');
    await reads.end();
  });

  check('opens a page on a retry after its script failed to load', async ({ on }) => {
    const scripts = /agents-page.*\.js/;
    await on.page.route(scripts, (route) => route.abort());
    await on.follow('Agents');
    await retries(on).waitFor();
    await on.page.unroute(scripts);
    await on.press('Try again');
    await on.heading('Agents');
  });

  check('shows an error if the browser is offline, and does not run the action later', async (manager) => {
    const { rig, shift, on } = manager;
    const status = async (): Promise<string> =>
      (await rig.api.ask(`/api/campaigns/${shift.campaignId}`)).body.campaign_status;
    const before = await status();
    await on.reach('November check-ups');
    await on.page.context().setOffline(true);
    await on.press('Pause');
    const dialog = on.page.getByRole('alertdialog');
    await dialog.getByRole('button', { name: 'Pause' }).click();
    await dialog.getByText('The server isn’t responding. Check your network.').waitFor();
    await on.page.context().setOffline(false);
    await dialog.getByRole('button', { name: 'Back' }).click();
    await on.reach('Agents');
    await on.page.getByRole('link', { name: 'Check-up reminder' }).waitFor();
    expect(await status()).toBe(before);
  });

  check('says on each page of an empty organization that there is no data', async ({ rig }) => {
    const on = await ConsolePage.signedIn({ ...rig, api: { ...rig.api, organization: rig.api.stranger } });
    await on.reads('No campaigns yet');
    for (const [path, text] of EMPTY) {
      await on.goto(path);
      await on.reads(text);
      expect([path, await problems(on).count()]).toEqual([path, 0]);
    }
    await on.close();
  });
});
