import { describeManager, type Manager } from './support/describe-manager';
import { fillCampaign } from './support/new-campaign';

jest.setTimeout(120_000);

const open = async ({ on }: Manager): Promise<void> => {
  await on.reach('November check-ups');
  await on.page.getByText('Add contacts', { exact: true }).click();
};

const NEW = 'name,phone_number,city\nFarah Ali,+919876543401,Goa\nAsha Rao,+919876543210,Pune\n';

const csv = (content: string) => ({
  name: 'more.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(content),
});

describeManager('a manager who adds contacts to a running campaign', ({ task, check }) => {
  task('pastes two contacts, of whom the campaign already has one', async (manager) => {
    const { rig, shift, on } = manager;
    await open(manager);
    await on.page.getByLabel('Or contacts as text').fill(NEW);
    await on.press('Add');
    await on.reads('1 contact was added');
    await on.reads(/1 was already in the campaign/);
    await on.page.getByRole('button', { name: /Farah Ali/ }).waitFor();
    const campaign = await rig.api.ask(`/api/campaigns/${shift.campaignId}`);
    expect(campaign.body.campaign_status).not.toBe('paused');
    const [farah] = await rig.api.db('contacts').where({ phone_number: '+919876543401' });
    expect(farah.variables).toEqual({ city: 'Goa' });
    await on.goto('/audit');
    await on.page.getByRole('cell', { name: 'Added contacts to a campaign' }).waitFor();
  });

  check('sees which contact of a file has an invalid number, and fixes it in the text', async (manager) => {
    const { on } = manager;
    await open(manager);
    await on.page
      .getByLabel('Or a CSV file')
      .setInputFiles(csv('name,phone_number\nDev,+919876543402\nOm,12\n'));
    const text = on.page.getByLabel('Or contacts as text');
    await on.page.waitForFunction(() => (globalThis as any).document.querySelector('textarea').value !== '');
    await on.press('Add');
    await on.reads('No contact was added. Fix these values');
    await on.reads('Contact 2');
    expect(await on.axe()).toEqual([]);
    await text.fill('name,phone_number\nDev,+919876543402\nOm,+919876543403\n');
    await on.press('Add');
    await on.reads('2 contacts were added');
  });

  check('sees that a text without a header has no columns', async (manager) => {
    const { on } = manager;
    await open(manager);
    await on.page.getByLabel('Or contacts as text').fill('Dev,+919876543402');
    await on.press('Add');
    await on.reads('The first line must contain the columns name and phone_number.');
  });

  task('adds all contacts of a list to a campaign', async (manager) => {
    const { rig, shift, on } = manager;
    await open(manager);
    await on.page.getByLabel('Contact list').selectOption({ label: 'Patients (2)' });
    await on.press('Add');
    await on.reads('2 contacts were added');
    await on.page.getByRole('button', { name: /Kabir Bose/ }).waitFor();
    const added = await rig.api.db('contacts').where({ campaign_id: shift.campaignId, name: 'Zoya Mirza' });
    expect(added).toHaveLength(1);
  });

  task('starts a campaign with the contacts of a list', async ({ rig, on }) => {
    await on.follow('New campaign');
    await on.page.getByLabel('Contact list').selectOption({ label: 'Patients (2)' });
    await fillCampaign(on, 'List check-ups');
    expect(await on.page.getByLabel('Contact file').count()).toBe(0);
    await on.press('Start campaign');
    await on.heading('List check-ups');
    await on.page.getByRole('button', { name: /Kabir Bose/ }).waitFor();
    const { id } = await rig.api.db('campaigns').where({ campaign_name: 'List check-ups' }).first('id');
    expect((await rig.api.ask(`/api/campaigns/${id}`)).body).toMatchObject({
      contact_source_type: 'list',
      stats: { total_calls: 2 },
    });
    expect(await on.page.getByText('Download the file').count()).toBe(0);
  });

  check('offers no form that adds contacts to a cancelled campaign', async ({ rig, on }) => {
    const { id } = await rig.api.db('campaigns').where({ campaign_name: 'List check-ups' }).first('id');
    await rig.api.ask(`/api/campaigns/${id}/cancel`, { method: 'POST' });
    await on.goto(`/campaigns/${id}`);
    await on.reads('Cancelled');
    await on.page.getByRole('button', { name: /Kabir Bose/ }).waitFor();
    expect(await on.page.getByText('Add contacts', { exact: true }).count()).toBe(0);
  });

  task(
    'sees before the start which contacts the rules refuse, and when each time zone opens',
    async ({ on }) => {
      await on.follow('New campaign');
      const file = [
        'name,phone_number,timezone',
        'Asha,+919876543501,',
        'Ann,+919876543502,America/New_York',
        'Bob,+919876543503,America/New_York',
      ].join('\n');
      await on.page.getByLabel('Contact file').setInputFiles(csv(file));
      await fillCampaign(on, 'Local check-ups');
      await on.page.getByLabel('Time zone of the window').selectOption('contact');
      await on.press('Dry run');
      await on.page.getByRole('row', { name: 'Outside the campaign’s window 2' }).waitFor();
      const zones = on.page.locator('.zones li');
      await zones.filter({ hasText: 'America/New_York 2 contacts' }).waitFor();
      expect(await zones.count()).toBe(2);
      expect(await on.axe()).toEqual([]);
      await on.press('Start campaign');
      await on.heading('Local check-ups');
      await on.reads(/When each time zone can be called/);
      expect(await zones.count()).toBe(2);
      expect(await on.axe()).toEqual([]);
    },
  );
});
