import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { issueApiKey } from '../../db/organizations/api-keys';
import { newCall } from '../api/support/rows';
import { describeManager, type Manager } from './support/describe-manager';

const greetingOf = async ({ rig, shift }: Manager): Promise<string> =>
  (await rig.api.ask(`/api/agent/${shift.agentId}`)).body.config.persona.identity.greeting_message
    .agent_message;

describeManager('a manager of agents and calls', ({ task, check }) => {
  task(
    'changes a greeting, sees the difference from the previous version, and reverts it',
    async (manager) => {
      const { on } = manager;
      await on.reach('Agents');
      await on.follow('Check-up reminder');
      await on.page.getByLabel('Agent message').fill('Namaste.');
      await on.press('Save');
      await on.reads('Saved. New calls will use it.');
      expect(await greetingOf(manager)).toBe('Namaste.');
      await on.follow('Versions');
      await on.follow('Version 1');
      await on.reads('Version 1 compared with the current version');
      await on.page.getByRole('row', { name: /Agent message Hello\. Namaste\./ }).waitFor();
      await on.press('Restore');
      await on.press('Back');
      expect(await greetingOf(manager)).toBe('Namaste.');
      await on.confirm('Restore');
      await on.reads('Restored as version 3. New calls will use it.');
      expect(await greetingOf(manager)).toBe('Hello.');
      await on.page.getByRole('row', { name: /Version 3 Current/ }).waitFor();
    },
  );

  check('creates an agent from an example and opens its form', async ({ rig, on }) => {
    await on.reach('Agents');
    await on.page.getByText('New agent').click();
    await on.page.getByLabel('Name', { exact: true }).fill('Evening reminder');
    await on.page.getByLabel('Start from').selectOption('Reminder');
    expect(await on.axe()).toEqual([]);
    await on.press('Create agent');
    await on.heading('Evening reminder');
    expect(await on.page.getByLabel('Agent message').inputValue()).toMatch(/Garden Clinic/);
    const agentId = on.page.url().match(/agents\/([\w-]+)/)?.[1];
    const { body } = await rig.api.ask(`/api/agent/${agentId}`);
    const { config } = JSON.parse(
      readFileSync(join(__dirname, '../../examples/agents/reminder.json'), 'utf8'),
    );
    expect(body.config).toMatchObject(config);
    await on.page.getByRole('main').getByRole('link', { name: 'Agents', exact: true }).click();
    await on.page.getByRole('link', { name: 'Evening reminder' }).waitFor();
  });

  check('creates an empty agent, but not without a name', async ({ rig, on }) => {
    const named = () => rig.api.db('agents').where({ display_name: 'Blank' });
    await on.reach('Agents');
    await on.page.getByText('New agent').click();
    const name = on.page.getByLabel('Name', { exact: true });
    await name.fill('   ');
    await on.press('Create agent');
    expect(
      await name.evaluate((field) => (field as unknown as { validity: { valid: boolean } }).validity.valid),
    ).toBe(false);
    await name.fill('Blank');
    await on.press('Create agent');
    await on.heading('Blank');
    expect(await named()).toHaveLength(1);
  });

  check('saves a test conversation, changes it, and removes it', async ({ rig, shift, on }) => {
    const kept = async () =>
      (await rig.api.ask(`/api/agent/${shift.agentId}/conversations`)).body.conversations;
    await on.goto(`/agents/${shift.agentId}`);
    await on.follow('Conversations');
    await on.reads('No conversations yet');
    await on.press('Add');
    const turn = (number: number) => on.page.getByRole('group', { name: `Turn ${number}` });
    await on.page.getByLabel('Title').fill('A refund');
    await on.page.getByLabel('Variables').fill('name=Asha');
    await turn(1).getByLabel('Must say all of').fill('Hello');
    await turn(2).getByLabel('The person types').fill('Where is my refund?');
    await turn(2).getByLabel('Must say one of').fill('paid\ndays');
    await turn(2).getByLabel('Ends the call').selectOption('No');
    await on.press('Add turn');
    await turn(3).getByLabel('The person types').fill('Bye');
    expect(await on.axe()).toEqual([]);
    await on.press('Save');
    await on.reads('Conversation saved.');
    const [greeting, refund] = [
      { expect: { contains: ['Hello'] } },
      { user: 'Where is my refund?', expect: { contains_any: ['paid', 'days'], ends: false } },
    ];
    const bye = { user: 'Bye', expect: {} };
    const conversation = { title: 'A refund', variables: { name: 'Asha' }, turns: [greeting, refund, bye] };
    expect(await kept()).toEqual([conversation]);
    await on.press('Edit A refund');
    await on.press('Remove turn 1');
    await on.press('Save');
    await on.page.getByLabel('Title').waitFor({ state: 'detached' });
    expect(await kept()).toEqual([{ ...conversation, turns: [refund, bye] }]);
    await on.press('Edit A refund');
    await on.confirm('Remove');
    await on.reads('No conversations yet');
    expect(await kept()).toEqual([]);
  });

  check('sees that conversations need a media server if there is none', async ({ rig, shift, on }) => {
    const conversations = ['First', 'Second'].map((title) => ({ title, turns: [{ user: 'Hi' }] }));
    const path = `/api/agent/${shift.agentId}/conversations`;
    await rig.api.ask(path, { method: 'PUT', json: { conversations } });
    await on.goto(`/agents/${shift.agentId}?section=conversations`);
    await on.press('Run all');
    await on.page.getByText('Ask the operator to configure one').nth(1).waitFor();
    expect(await on.page.getByText('Not run', { exact: true }).count()).toBe(2);
    await rig.api.ask(path, { method: 'PUT', json: { conversations: [] } });
  });

  check(
    'starts a test conversation from the messages of the last browser session',
    async ({ rig, shift, on }) => {
      const at = new Date(rig.api.clock.time);
      const callId = await newCall(rig.api, {
        agent_id: shift.agentId,
        direction: 'Incoming',
        medium: 'webrtc',
        from_number: 'web-user',
        stage: 'over',
        call_status: 'completed',
        answered_at: at,
        ended_at: at,
        concluded_at: at,
      });
      const said = [
        ['agent', 'Hello.'],
        ['user', 'Are you open on Sunday?'],
        ['agent', 'No.'],
      ];
      await rig.api.db('call_segments').insert(
        said.map(([speaker, text], index) => ({
          call_id: callId,
          speaker,
          text,
          start_ms: index * 1000,
          end_ms: index * 1000 + 500,
        })),
      );
      await on.goto(`/agents/${shift.agentId}?section=conversations`);
      await on.press('From the last session');
      const typed = on.page.getByLabel('The person types');
      await typed.nth(1).waitFor();
      expect(await typed.evaluateAll((fields) => fields.map((field: any) => field.value))).toEqual([
        '',
        'Are you open on Sunday?',
      ]);
    },
  );

  check(
    'tries an agent next to its form, authenticated by the console session',
    async ({ rig, shift, on }) => {
      await on.goto(`/agents/${shift.agentId}`);
      await on.follow('Try it');
      const before = await rig.api.db('audit_log').count();
      await on.press('Type instead');
      // The test's API has no media server. This error shows that the request was authorized.
      await on.page.getByRole('alert').filter({ hasText: 'media server' }).waitFor();
      expect(await rig.api.db('audit_log').count()).toEqual(before);
      await on.page.getByLabel('System prompt').waitFor();
      await on.follow('Close');
      await on.page.locator('.try').waitFor({ state: 'detached' });
    },
  );

  check('opens the page for trying an agent with the agent from the URL selected', async ({ shift, on }) => {
    await on.goto(`/try?agent=${shift.agentId}`);
    await on.heading('Try an agent');
    const chosen = on.page.getByLabel('Agent', { exact: true });
    expect(await chosen.inputValue()).toBe(shift.agentId);
    await on.press('Start talking');
    // The test's browser has no microphone.
    await on.page.getByRole('alert').filter({ hasText: 'microphone' }).waitFor();
  });

  task('finds a call by words in its transcript, jumps to the sentence, and plays it', async ({ on }) => {
    await on.reach('Calls');
    await on.reads('Ravi Kumar');
    await on.page.getByLabel('Search transcripts').fill('refund colleague');
    await on.page.keyboard.press('Enter');
    await on.page.getByRole('link', { name: 'Ravi Kumar' }).waitFor({ state: 'detached' });
    await on.follow('Asha Rao');
    await on.reads('Match 1 of 2 for “refund colleague”');
    await on.page.waitForFunction(() =>
      (globalThis as any).document.activeElement?.textContent.includes('I want a refund'),
    );
    await on.page.keyboard.press('Enter');
    await on.page.waitForFunction(() => {
      const { paused, currentTime } = (globalThis as any).document.querySelector('audio');
      return !paused && currentTime >= 2;
    });
    await on.press('Next');
    await on.reads('Match 2 of 2 for “refund colleague”');
    await on.page.waitForFunction(() =>
      (globalThis as any).document.activeElement?.textContent.includes('A colleague calls you'),
    );
    expect(await on.page.locator('.line mark').allTextContents()).toEqual(['refund', 'refund', 'colleague']);
  });

  check('sees that no call matches the search, and returns to all calls', async ({ on }) => {
    await on.goto('/calls?search=zeppelin');
    await on.reads('No matching calls');
    await on.follow('Show all calls');
    await on.reads('Ravi Kumar');
    expect(await on.page.getByLabel('Search transcripts').inputValue()).toBe('');
  });

  check("sees the agent's response time after each answer", async ({ shift, on }) => {
    await on.goto(`/calls/${shift.calls.refund}`);
    await on.page.getByRole('button', { name: /I note that you ask for a refund.* after 0\.2 s/ }).waitFor();
    expect(await on.page.locator('.waited').count()).toBe(2);
  });

  check('sees no buttons that a read-only key cannot use', async ({ rig, shift, on }) => {
    const { key } = await issueApiKey(rig.api.db, rig.api.organization.id, { scopes: ['read'] });
    await on.press('Sign out');
    await on.signIn(key);
    await on.heading('Campaigns');
    await on.goto(`/agents/${shift.agentId}`);
    await on.reads('Your key can view this agent, but not change it');
    expect(await on.page.getByLabel('System prompt').isDisabled()).toBe(true);
    const offered = () => on.page.locator('main').getByRole('button').allTextContents();
    expect(await offered()).toEqual([]);
    expect(await on.page.getByRole('link', { name: 'Try it' }).count()).toBe(0);
    expect(await on.page.getByRole('link', { name: 'Try an agent' }).count()).toBe(0);
    await on.follow('Conversations');
    await on.reads('No conversations yet');
    expect(await offered()).toEqual([]);
    await on.follow('Versions');
    await on.page.getByRole('row', { name: /Current/ }).waitFor();
    await on.goto(`/agents/${shift.agentId}?section=versions&version=1`);
    await on.reads('Version 1 compared with the current version');
    expect(await offered()).toEqual([]);
    await on.goto('/try');
    await on.reads('Your key can’t make calls');
    expect(await offered()).toEqual([]);
    await on.goto(`/calls/${shift.calls.ringing}`);
    await on.reads('Live');
    expect(await offered()).toEqual([]);
  });
});
