import { issueSignInLink } from '../../api/console/sign-in-link';
import { issueApiKey } from '../../db/organizations/api-keys';
import { activeSecrets } from '../../db/webhooks/signing-secrets';
import { instantOf } from '../../console/src/format/time';
import { ConsolePage } from './support/console-page';
import { describeManager, type Manager } from './support/describe-manager';

jest.setTimeout(120_000);

const PAGES = 'https://temporal.example.com/namespaces/default/workflows';

const campaignOf = ({ rig, shift }: Manager) =>
  rig.api.db('campaigns').where({ id: shift.campaignId }).first();
const isLetIn = async ({ rig }: Manager, key: string): Promise<boolean> =>
  (await rig.api.ask('/api/agents', { as: { ...rig.api.organization, key } })).status === 200;

/** Signs in with an operator's link, whose session can show links to Temporal's Web UI. */
async function openSessionWithWorkflows({ api }: Manager['rig'], on: ConsolePage): Promise<void> {
  const { db, clock, organization } = api;
  const actor = { kind: 'operator', id: 'Asha', requestId: null } as const;
  const of = { person: 'Asha' };
  const wanted = { organizationId: organization.id, of, showsWorkflows: true, actor };
  const { path } = await issueSignInLink(db, wanted, clock.now());
  await on.goto(path.slice('/console'.length));
  await on.heading('Campaigns');
}

describeManager(
  'a manager of the organization',
  ({ task, check }) => {
    task(
      'adds a number to the do-not-disturb list, finds it in a different format, and removes it',
      async ({ rig, on }) => {
        await on.reach('Operations');
        await on.reads('The list is empty');
        await on.page.getByText('Add a number').click();
        await on.page.getByLabel('Number', { exact: true }).fill('098765 43299');
        await on.page.getByLabel('Source').fill('Asked by e-mail');
        await on.press('Add');
        await on.reads('+919876543299 was added to the list.');
        await on.reads('Asked by e-mail');
        const find = on.page.getByLabel('Find a number');
        await find.fill('98765 00000');
        await on.press('Find');
        await on.reads('This number isn’t on the list');
        await find.fill('98765-43299');
        await on.press('Find');
        await on.page.getByRole('cell', { name: '+919876543299' }).waitFor();
        await on.confirm('Remove');
        await on.reads('This number isn’t on the list');
        expect(await rig.api.db('dnd_numbers').where({ organization_id: rig.api.organization.id })).toEqual(
          [],
        );
      },
    );

    check('sees an error after searching for an invalid phone number', async ({ on }) => {
      await on.reach('Operations');
      await on.page.getByLabel('Find a number').fill('12');
      await on.press('Find');
      await on.reads(/must be a ten-digit Indian number/);
    });

    check('creates an API key, sees it once, and revokes it', async (manager) => {
      const { on } = manager;
      await on.reach('Keys');
      await on.page.getByLabel('Purpose').fill('Night reports');
      await on.press('Create key');
      const shown = on.page.getByLabel('API key', { exact: true });
      const key = await shown.inputValue();
      expect(await isLetIn(manager, key)).toBe(true);
      expect(await on.axe()).toEqual([]);
      await on.press('I’ve saved it');
      await shown.waitFor({ state: 'detached' });
      const row = on.page.getByRole('row', { name: /Night reports/ });
      await row.getByText('read', { exact: true }).waitFor();
      await row.getByRole('button', { name: 'Revoke' }).click();
      await on.page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
      await row.getByText('Revoked').waitFor();
      expect(await isLetIn(manager, key)).toBe(false);
      expect(await on.page.content()).not.toContain(key);
    });

    check('replaces a leaked webhook secret', async ({ rig, on }) => {
      const { organization, db, secretsKeys, clock } = rig.api;
      await on.reach('Keys');
      await on.press('New secret');
      await on.page.getByLabel('Keep signing with the old secret').selectOption({ label: 'No, it leaked' });
      await on.page.getByRole('alertdialog').getByRole('button', { name: 'New secret' }).click();
      const secret = await on.page.getByLabel('Webhook secret', { exact: true }).inputValue();
      expect(await activeSecrets(db, organization.id, secretsKeys, clock.now())).toEqual([secret]);
    });

    check(
      'sees when a campaign is expected to end, and a link to its workflow',
      async ({ rig, shift, on }) => {
        const { body } = await rig.api.ask(`/api/campaigns/${shift.campaignId}/forecast`);
        await on.reach('November check-ups');
        await on.reads('Expected end');
        await on.reads(instantOf(body.finishes_at, new Date(), 'Asia/Kolkata'));
        await openSessionWithWorkflows(rig, on);
        await on.goto(`/campaigns/${shift.campaignId}`);
        const link = on.page.getByRole('link', { name: 'Open in Temporal' });
        expect(await link.getAttribute('href')).toBe(`${PAGES}/campaign-${shift.campaignId}`);
        await on.goto(`/calls/${shift.calls.refund}`);
        expect(await link.getAttribute('href')).toBe(`${PAGES}/${shift.calls.refund}`);
      },
    );

    check('follows a link from the health of the parts to the list of all workflows', async ({ rig, on }) => {
      await openSessionWithWorkflows(rig, on);
      await on.reach('Operations');
      const link = on.page.getByRole('link', { name: 'View all in Temporal' });
      expect(await link.getAttribute('href')).toBe(PAGES);
    });

    const partsOn = ({ page }: ConsolePage) =>
      page
        .getByRole('region', { name: 'Health' })
        .getByRole('definition')
        .filter({ has: page.locator('.badge') });

    check('sees which parts work, and since when and why a part is degraded', async ({ rig, on }) => {
      // Advances the clock past the time for which the API caches the earlier result.
      rig.api.clock.time += 6_000;
      const seen = rig.api.clock.time - 2 * 60_000;
      rig.api.temporal.workersSeen = seen;
      await on.reach('Operations');
      await partsOn(on).nth(3).waitFor();
      const since = instantOf(new Date(seen).toISOString(), new Date(), 'Asia/Kolkata');
      const words = (await partsOn(on).allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
      expect(words.slice(0, 4)).toEqual([
        'Working',
        'Working',
        `Degraded No worker is polling (since ${since})`,
        'Working',
      ]);
      expect(await on.axe()).toEqual([]);
    });

    check(
      'sees that the database is unreachable, even though the API cannot check keys without it',
      async ({ on }) => {
        const unreachable = { detail: { code: 'SERVICE_UNAVAILABLE', message: 'unreachable' } };
        await on.page.route('**/api/health', (route) => route.fulfill({ status: 503, json: unreachable }));
        const json = { status: 'not ready', carrier_events: 'unreachable', temporal: 'ok', ...unreachable };
        await on.page.route('**/readyz', (route) => route.fulfill({ status: 503, json }));
        await on.reach('Operations');
        await partsOn(on).nth(1).waitFor();
        const words = (await partsOn(on).allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
        expect(words).toEqual(['Down Not responding', 'Working']);
        await on.page.unrouteAll({ behavior: 'wait' });
      },
    );

    check('loads the health again after a failed request', async ({ on }) => {
      await on.page.route('**/api/health', (route) => route.abort());
      await on.reach('Operations');
      const health = on.page.getByRole('region', { name: 'Health' });
      // The page retries a failed read once before it shows the error.
      const again = health.getByRole('button', { name: 'Try again' });
      await again.waitFor();
      await on.page.unroute('**/api/health');
      await again.click();
      await health.getByText('Working').first().waitFor();
    });

    check('sees the body of a webhook delivery and how the receiver responded', async ({ shift, on }) => {
      await on.goto(`/calls/${shift.calls.refund}`);
      await on.page.getByRole('button', { name: /^call.completed/ }).click();
      await on.reads(/"name": "Asha Rao"/);
      await on.reads(/Attempt 5: HTTP 503/);
      expect(await on.axe()).toEqual([]);
    });

    check('finds a person by number in all campaigns, and by name in one', async ({ on }) => {
      await on.page.getByLabel('Find a person').fill('98765-43213');
      await on.press('Find');
      const found = on.page.getByRole('region', { name: 'People found' });
      await found.getByRole('button', { name: /Imran Sheikh/ }).click();
      await found.getByText(/^Row \d+ of the file$/).waitFor();
      expect(await on.axe()).toEqual([]);
      await found.getByRole('link', { name: 'November check-ups' }).click();
      await on.heading('November check-ups');
      await on.page.getByLabel('Find a person').fill('lakshmi');
      await on.press('Find');
      await on.page.getByRole('button', { name: /Lakshmi Iyer/ }).waitFor();
      await on.page.getByRole('button', { name: /Imran Sheikh/ }).waitFor({ state: 'detached' });
      expect(on.page.url()).not.toMatch(/lakshmi|98765/);
      await on.page.getByLabel('Find a person').fill('nobody');
      await on.press('Find');
      await on.reads('No matching contacts');
    });

    check('finds the key that created a campaign, and its other actions', async ({ shift, on }) => {
      await on.follow('Audit');
      await on.page.getByLabel('What').selectOption({ label: 'Created a campaign' });
      const row = on.page.getByRole('row', { name: /November check-ups/ });
      // The unfiltered list already contains the row, so wait until the other rows disappear.
      await on.page.getByRole('row').nth(2).waitFor({ state: 'detached' });
      await row.waitFor();
      await row.getByRole('link', { name: /^Key / }).click();
      await on.press('Clear');
      await row.getByRole('link', { name: 'November check-ups' }).click();
      await on.heading('November check-ups');
      expect(on.page.url()).toContain(shift.campaignId);
    });

    task('gives a running campaign more lines and an earlier daily end', async (manager) => {
      const { on } = manager;
      await on.reach('November check-ups');
      await on.press('Edit');
      expect(await on.axe()).toEqual([]);
      expect(await on.page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
      await on.page.getByLabel('Lines').fill('3');
      await on.page.getByLabel('Until', { exact: true }).fill('15:00');
      await on.press('Save');
      await on.reads('Changes saved. The campaign is resumed.');
      await on.reads('04:00–09:30 UTC, 09:30–15:00 Asia/Kolkata');
      await on.untilFocused('Edit');
      expect(await campaignOf(manager)).toMatchObject({
        concurrency: 3,
        end_minute: 570,
        start_minute: 240,
      });
      expect((await campaignOf(manager)).status).not.toBe('paused');
    });

    check('sees why a change is rejected, and keeps the campaign unchanged', async (manager) => {
      const { on } = manager;
      const before = await campaignOf(manager);
      await on.reach('November check-ups');
      await on.press('Edit');
      await on.page.getByLabel('Until', { exact: true }).fill('23:30');
      await on.press('Save');
      await on.page.getByRole('alert').waitFor();
      await on.press('Back');
      await on.reads('09:30–15:00 Asia/Kolkata');
      expect(await campaignOf(manager)).toEqual(before);
    });

    check('sees no controls that make changes with a read-only key', async ({ rig }) => {
      const { key } = await issueApiKey(rig.api.db, rig.api.organization.id, { scopes: ['read'] });
      const reader = await ConsolePage.open(rig);
      await reader.goto('/');
      await reader.signIn(key);
      const names = async () =>
        Promise.all(
          (await reader.page.locator('main :is(button, a.button)').all()).map((each) => each.textContent()),
        );
      const CHANGES = /^(Pause|Resume|Cancel campaign|Edit|New|Deliver|Remove|Add)\b/;
      const changing = async () => (await names()).filter((name) => CHANGES.test(name ?? ''));
      await reader.heading('Campaigns');
      await reader.page.getByRole('link', { name: 'November check-ups' }).waitFor();
      expect(await changing()).toEqual([]);
      expect(await reader.page.getByRole('link', { name: 'Keys', exact: true }).count()).toBe(0);
      await reader.follow('November check-ups');
      await reader.reads('Expected end');
      expect(await changing()).toEqual([]);
      await reader.reach('Operations');
      await reader.reads('call.completed');
      expect(await changing()).toEqual([]);
      await reader.goto('/keys');
      await reader.reads(/Your key doesn’t allow this/);
      await reader.close();
    });

    task('pauses all campaigns at once', async ({ rig, shift, on }) => {
      const open = () =>
        rig.api
          .db('campaigns')
          .where({ organization_id: rig.api.organization.id })
          .whereNot({ status: 'paused' });
      await rig.api.db('campaigns').where({ id: shift.campaignId }).update({ status: 'paused_out_of_range' });
      expect(await open()).toHaveLength(1);
      await on.reach('Operations');
      await on.confirm('Pause all campaigns');
      await on.reads('1 campaign is paused. No more contacts will be dialled until you resume.');
      expect(await open()).toEqual([]);
    });

    check('resumes only the campaigns that were paused together, and only once', async ({ rig, on }) => {
      const statuses = () =>
        rig.api.db('campaigns').where({ organization_id: rig.api.organization.id }).pluck('status');
      await on.reach('Operations');
      await on.confirm('Resume all campaigns');
      await on.reads('1 campaign is resumed.');
      expect(await statuses()).toContain('active');
      await on.confirm('Resume all campaigns');
      await on.reads('No campaigns are paused with “Pause all campaigns”.');
    });
  },
  { workflowPages: PAGES },
);
