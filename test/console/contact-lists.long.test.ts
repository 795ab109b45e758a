import { readFile } from 'node:fs/promises';
import { describeManager, type Manager } from './support/describe-manager';
import { BAD_FILE } from './support/new-campaign';

jest.setTimeout(120_000);

const rowsOf = ({ on }: Manager) => on.page.getByRole('button', { name: /\+91/ });

/** More rows than a page shows. */
const MANY = {
  name: 'many.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(
    `name,phone_number,timezone\n${Array.from(
      { length: 60 },
      (_, n) => `Person ${n},${n < 40 ? `98765550${10 + n}` : '12'},${n === 0 ? 'Asia/Kolkata' : ''}\n`,
    ).join('')}`,
  ),
};

describeManager('a manager with contact lists', ({ task, check }) => {
  task(
    'creates a list, uploads a file with two invalid rows, and reads why they were skipped',
    async (manager) => {
      const { rig, on } = manager;
      await on.reach('Contact lists');
      await on.page.getByLabel('Name').fill('Customers');
      await on.press('Create list');
      await on.heading('Customers');
      await on.reads('The list has no contacts');
      await on.page.getByLabel('Contact file').setInputFiles(BAD_FILE);
      await on.reads('2 rows were skipped');
      await on.page.getByRole('row', { name: /^3 phone_number/ }).waitFor();
      await on.page.getByRole('row', { name: '4 name is empty' }).waitFor();
      await on.page.getByRole('button', { name: /Asha \+919876543210/ }).waitFor();
      const downloading = on.page.waitForEvent('download');
      await on.follow('All skipped rows (CSV)');
      const file = await readFile(await (await downloading).path(), 'utf8');
      expect(file.split('\r\n').filter((line) => line !== '')).toHaveLength(3);
      const [list] = await rig.api.db('contact_lists').where({ name: 'Customers' });
      expect(list.contacts).toBe(1);
    },
  );

  check('pages through a list, finds a person by number, and sees all fields', async (manager) => {
    const { on } = manager;
    await on.reach('Contact lists');
    await on.reach('Customers');
    await on.page.getByLabel('Contact file').setInputFiles(MANY);
    await on.reads('20 rows were skipped');
    await on.reads('41 contacts, page 1 of 2');
    await on.press('Next');
    await on.reads('41 contacts, page 2 of 2');
    expect(await rowsOf(manager).count()).toBe(16);
    await on.page.getByLabel('Find a person').fill('98765 55010');
    await on.press('Find');
    await on.reads('1 contact');
    await on.page.getByRole('button', { name: /Person 0/ }).click();
    await on.reads('Source of the consent');
    expect(on.page.url()).not.toContain('98765');
  });

  check('adds and updates contacts with a second upload of the same file', async ({ on }) => {
    await on.reach('Contact lists');
    await on.reach('Customers');
    await on.page.getByLabel('Contact file').setInputFiles(MANY);
    const result = on.page.getByRole('status').filter({ hasText: 'many.csv' });
    await result.getByText('20 rows were skipped').waitFor();
    expect((await result.locator('dl').innerText()).split(/\s+/)).toEqual([
      'Added',
      '0',
      'Updated',
      '40',
      'Skipped',
      '20',
    ]);
  });

  check('shows the progress of an upload', async ({ on }) => {
    await on.reach('Contact lists');
    await on.reach('Customers');
    let answer = (): void => undefined;
    const isWanted = new Promise<void>((resolve) => (answer = resolve));
    await on.page.route('**/contacts', async (route) => {
      if (route.request().method() === 'POST') await isWanted;
      await route.continue();
    });
    await on.page.getByLabel('Contact file').setInputFiles(MANY);
    await on.page.getByRole('progressbar').waitFor();
    expect(await on.page.getByLabel('Contact file').isDisabled()).toBe(true);
    expect(await on.axeAtOnce()).toEqual([]);
    answer();
    await on.reads('20 rows were skipped');
    await on.page.unrouteAll({ behavior: 'wait' });
  });

  check('shows why the API rejects a file', async ({ on }) => {
    await on.reach('Contact lists');
    await on.reach('Customers');
    const input = on.page.getByLabel('Contact file');
    await input.setInputFiles({ ...MANY, buffer: Buffer.from('first,second\na,b\n') });
    await on.page.getByRole('alert').waitFor();
    await on.reads(/name/);
    await input.setInputFiles({ ...MANY, name: 'many.txt' });
    await on.reads('The contact file was rejected: its name must end in .csv, .xlsx or .xls');
  });

  task('removes a person from a list', async ({ rig, on }) => {
    await on.reach('Contact lists');
    await on.reach('Customers');
    const row = on.page.getByRole('row', { name: /Asha/ });
    await row.getByRole('button', { name: 'Remove' }).click();
    await on.answer('Remove');
    await on.reads('Asha was removed from the list.');
    await row.waitFor({ state: 'detached' });
    expect(await rig.api.db('list_contacts').where({ name: 'Asha' })).toEqual([]);
  });

  check(
    'reads why a list cannot be deleted while a campaign uses it, and deletes it afterwards',
    async (manager) => {
      const { rig, shift, on } = manager;
      const { id } = await rig.api.db('contact_lists').where({ name: 'Customers' }).first('id');
      const campaign = () => rig.api.db('campaigns').where({ id: shift.campaignId });
      await campaign().update({ contact_list_id: id });
      await on.goto(`/contact-lists/${id}`);
      await on.press('Delete list');
      const dialog = on.page.getByRole('alertdialog');
      await dialog.getByRole('button', { name: 'Delete list' }).click();
      await dialog.getByText(/^A campaign that has not ended uses the contact list/).waitFor();
      await campaign().update({ contact_list_id: null });
      await on.answer('Delete list');
      await on.heading('Contact lists');
      await on.page.getByRole('link', { name: 'Customers' }).waitFor({ state: 'detached' });
      await on.reach('Audit');
      await on.page.getByRole('cell', { name: 'Deleted a contact list' }).waitFor();
    },
  );

  check('sees no form that changes a list with a key that can only read', async (manager) => {
    const { rig, shift, on } = manager;
    const { body } = await rig.api.ask('/api/keys', { json: { name: 'Reports', scopes: ['read'] } });
    await on.press('Sign out');
    await on.signIn(body.key);
    await on.goto(`/contact-lists/${shift.listId}`);
    await on.reads('Kabir Bose');
    expect(await on.page.getByLabel('Contact file').count()).toBe(0);
    expect(await on.page.getByRole('button', { name: 'Remove' }).count()).toBe(0);
    expect(await on.page.getByRole('button', { name: 'Delete list' }).count()).toBe(0);
  });
});
