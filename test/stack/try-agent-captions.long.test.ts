/** Tests what the page shows of a conversation, and what a user can do without a microphone. */
import type { Browser } from 'playwright-core';
import { describeWith } from '../servers/availability';
import { openBrowser } from './support/browser';
import { eventually } from './support/eventually';
import { ScriptedSession } from './support/scripted-session';

const SHOWN_WITHIN_MS = 5_000;

jest.setTimeout(60_000);

describeWith('chromium', 'captions of a tried agent', () => {
  let browser: Browser;
  let session: ScriptedSession;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    session = await ScriptedSession.open(browser);
  });
  afterEach(async () => {
    expect(session.faults).toEqual([]);
    await session.close();
  });

  const reads = (...lines: string[]): Promise<void> =>
    eventually(SHOWN_WITHIN_MS, async () => expect(await session.conversation()).toEqual(lines));

  test('extends captions while someone speaks, and corrects them once they are final', async () => {
    await session.typeInstead();
    session.saying('agent', 'Namaste, this');
    await reads('Agent: [Namaste, this]');
    session.saying('agent', 'Namaste, this is Asha from');
    await reads('Agent: [Namaste, this is Asha from]');
    session.say('agent', 'Namaste, this is Asha from Sahara.');
    await reads('Agent: Namaste, this is Asha from Sahara.');
  });

  test('orders captions by the time they became final if both sides speak at once', async () => {
    await session.typeInstead();
    session.saying('agent', 'I am calling about');
    session.saying('user', 'Who');
    session.say('user', 'Who is this?');
    await reads('You: Who is this?', 'Agent: [I am calling about]');
    session.say('agent', 'I am calling about your loan.');
    await reads('You: Who is this?', 'Agent: I am calling about your loan.');
  });

  test('shows an interruption of the agent immediately and in the record', async () => {
    await session.typeInstead();
    session.saying('agent', 'Your instalment of');
    session.send({ type: 'interrupted' });
    await reads('Agent: [Your instalment of] (interrupted)');
    session.say('agent', 'Your instalment', { was_interrupted: true });
    await reads('Agent: Your instalment (interrupted)');
  });

  test('shows that the agent is thinking, until it speaks', async () => {
    await session.typeInstead();
    session.send({ type: 'agent_thinking' });
    const thinking = session.page.getByText('The agent is thinking…');
    await thinking.waitFor();
    session.saying('agent', 'Yes');
    await thinking.waitFor({ state: 'hidden' });
  });

  test('continues after a lost connection without repeated lines', async () => {
    await session.typeInstead();
    session.say('agent', 'First');
    session.say('user', 'Second');
    await reads('Agent: First', 'You: Second');
    await session.cut(1012);
    session.say('user', 'Second', { seq: 2 });
    session.say('agent', 'Third', { seq: 3 });
    await reads('Agent: First', 'You: Second', 'Agent: Third');
    expect(session.addresses.map((address) => new URL(address).search)).toEqual(['', '?after=2']);
    expect(new URL(session.addresses[0] ?? '').pathname).toBe('/api/live-transcripts/ws/room_1');
  });

  test('stops requesting captions once the call is over, and keeps them on the page', async () => {
    await session.typeInstead();
    session.say('agent', 'Goodbye.');
    await reads('Agent: Goodbye.');
    await session.cut(1000);
    await session.press('Stop');
    await session.page.getByText('You ended the conversation. It lasted 1:05.').waitFor();
    await reads('Agent: Goodbye.');
    expect(session.addresses).toHaveLength(1);
  });

  test('shows typed text once, and sends it to the agent', async () => {
    await session.typeInstead();
    const message = session.page.getByLabel('Message');
    await message.fill('  When is it due?  ');
    await message.press('Enter');
    await reads('You: [When is it due?]');
    expect(await session.sent()).toEqual([['lk.chat', 'When is it due?']]);
    expect(await message.inputValue()).toBe('');
    session.say('user', 'When is it due?');
    await reads('You: When is it due?');
    await message.press('Enter');
    expect(await session.sent()).toHaveLength(1);
  });

  test('explains a missing microphone and lets the user type instead', async () => {
    await session.press('Start talking');
    const problem = session.page.getByRole('alert');
    await problem.waitFor();
    expect(await problem.textContent()).toMatch(/^No microphone was found\..*, or type instead\.$/);
    await session.typeInstead();
    expect(await problem.isHidden()).toBe(true);
    expect(await session.page.getByRole('meter').isHidden()).toBe(true);
    expect(await session.page.evaluate(() => (globalThis as any).room.published)).toEqual([]);
  });

  describe('an agent', () => {
    const notice = () => session.page.getByRole('note');

    test('explains what is missing and why if the agent lacks all models', async () => {
      await session.typeInstead({
        hears: false,
        speaks: false,
        thinks: false,
        missing: [
          { part: 'stt', why: 'the agent names no provider, and no default is set' },
          { part: 'llm', why: 'OPENAI_API_KEY is not set' },
        ],
      });
      await notice().waitFor();
      expect(await notice().getByRole('paragraph').textContent()).toBe(
        'This agent isn’t fully set up. It can’t hear you, so type what you want to say. It has no voice, so read its replies under Captions. ' +
          'It has no language model, so it can only give predefined answers. ' +
          'The operator can configure a model with OPENAI_BASE_URL and AGENT_LLM. npm run talk uses Ollama if it is running.',
      );
      expect(await notice().getByRole('listitem').allTextContents()).toEqual([
        'Speech recognition: the agent names no provider, and no default is set.',
        'Language model: OPENAI_API_KEY is not set.',
      ]);
    });

    test('shows the models that the agent reports', async () => {
      const models = { stt: 'whisper', llm: 'llama3.2', tts: 'piper' };
      await session.typeInstead({ hears: true, speaks: true, thinks: true, missing: [], models });
      const line = session.page.getByText(
        'Speech recognition: whisper · Language model: llama3.2 · Voice: piper',
      );
      await line.waitFor();
    });

    test('shows no notice if the agent has a fallback for what is missing, or reports nothing', async () => {
      const missing = [{ part: 'tts', why: 'ELEVENLABS_API_KEY is not set' }];
      await session.typeInstead({ hears: true, speaks: true, thinks: true, missing });
      expect(await notice().isHidden()).toBe(true);
    });
  });
});
