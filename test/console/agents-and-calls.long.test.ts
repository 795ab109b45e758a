import { issueApiKey } from '../../db/clients/api-keys';
import { describeManager, type Manager } from './support/describe-manager';

const greetingOf = async ({ rig, shift }: Manager): Promise<string> =>
  (await rig.api.ask(`/api/agent/${shift.agentId}`)).body.config.persona.identity.greeting_message
    .agent_message;

describeManager('a manager of agents and calls', ({ task, check }) => {
  task('changes a greeting, sees what differs from before, and takes the change back', async (manager) => {
    const { on } = manager;
    await on.follow('Agents');
    await on.follow('Check-up reminder');
    await on.page.getByLabel('Agent message').fill('Namaste.');
    await on.press('Save');
    await on.reads('Saved. Calls that start from now on run with it.');
    expect(await greetingOf(manager)).toBe('Namaste.');
    await on.follow('Versions');
    await on.follow('Version 1');
    await on.reads('Version 1 beside the current one');
    await on.page.getByRole('row', { name: /Agent message Hello\. Namaste\./ }).waitFor();
    await on.press('Restore');
    await on.press('Back');
    expect(await greetingOf(manager)).toBe('Namaste.');
    await on.confirm('Restore');
    await on.reads('Version 3 has it. Calls that start from now on run with it.');
    expect(await greetingOf(manager)).toBe('Hello.');
    await on.page.getByRole('row', { name: /Version 3 Current/ }).waitFor();
  });

  check('tries an agent beside its form, with the session and without a key', async ({ rig, shift, on }) => {
    await on.goto(`/agents/${shift.agentId}`);
    await on.follow('Try it');
    const beside = on.page.frameLocator('iframe');
    await beside.getByRole('button', { name: 'Type instead' }).waitFor();
    expect(await beside.locator('#agent').inputValue()).toBe(shift.agentId);
    expect(await beside.getByLabel('API key').isVisible()).toBe(false);
    const before = await rig.api.db('audit_log').count();
    await beside.getByRole('button', { name: 'Type instead' }).click();
    // The API of the test has no media server: that it says so shows that the request was let in.
    await beside.getByRole('alert').filter({ hasText: 'media server' }).waitFor();
    expect(await rig.api.db('audit_log').count()).toEqual(before);
    await on.page.getByLabel('System prompt').waitFor();
    await on.follow('Close');
    await on.page.locator('iframe').waitFor({ state: 'detached' });
  });

  task('finds a call by words that were said in it, comes to the sentence, and hears it', async ({ on }) => {
    await on.follow('Calls');
    await on.reads('Ravi Kumar');
    await on.page.getByLabel('Said in the call').fill('refund colleague');
    await on.page.keyboard.press('Enter');
    await on.page.getByRole('link', { name: 'Ravi Kumar' }).waitFor({ state: 'detached' });
    await on.follow('Asha Rao');
    await on.reads('1 of 2 with “refund colleague”');
    await on.page.waitForFunction(() =>
      (globalThis as any).document.activeElement?.textContent.includes('I want a refund'),
    );
    await on.page.keyboard.press('Enter');
    await on.page.waitForFunction(() => {
      const { paused, currentTime } = (globalThis as any).document.querySelector('audio');
      return !paused && currentTime >= 2;
    });
    await on.press('Next');
    await on.reads('2 of 2 with “refund colleague”');
    expect(await on.focused()).toContain('A colleague calls you');
    expect(await on.page.locator('.line mark').allTextContents()).toEqual(['refund', 'refund', 'colleague']);
  });

  check('reads that no call has the words, and comes back to all', async ({ on }) => {
    await on.goto('/calls?search=zeppelin');
    await on.reads('No call matches');
    await on.follow('Show all calls');
    await on.reads('Ravi Kumar');
    expect(await on.page.getByLabel('Said in the call').inputValue()).toBe('');
  });

  check('reads how long the person waited for each answer', async ({ shift, on }) => {
    await on.goto(`/calls/${shift.calls.refund}`);
    await on.page.getByRole('button', { name: /I note that you ask for a refund.* after 0\.2 s/ }).waitFor();
    expect(await on.page.locator('.waited').count()).toBe(2);
  });

  check('whose key may only read sees no button that would be refused', async ({ rig, shift, on }) => {
    const { key } = await issueApiKey(rig.api.db, rig.api.client.id, { scopes: ['read'] });
    await on.press('Sign out');
    await on.signIn(key);
    await on.heading('Campaigns');
    await on.goto(`/agents/${shift.agentId}`);
    await on.reads('Your key may read this, not change it');
    expect(await on.page.getByLabel('System prompt').isDisabled()).toBe(true);
    const offered = () => on.page.locator('main').getByRole('button').allTextContents();
    expect(await offered()).toEqual([]);
    expect(await on.page.getByRole('link', { name: 'Try it' }).count()).toBe(0);
    await on.follow('Versions');
    await on.page.getByRole('row', { name: /Current/ }).waitFor();
    await on.goto(`/agents/${shift.agentId}?section=versions&version=1`);
    await on.reads('Version 1 beside the current one');
    expect(await offered()).toEqual([]);
    await on.goto(`/calls/${shift.calls.ringing}`);
    await on.reads('Live');
    expect(await offered()).toEqual([]);
  });
});
