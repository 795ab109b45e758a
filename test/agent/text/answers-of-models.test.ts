/** Tests a text conversation with one or two models over HTTP. */
import { createGuard } from '../../../agent/network/guarded-agent';
import { SpokenLlm } from '../../../agent/providers/spoken-llm';
import { readModelSettings } from '../../../agent/settings';
import { languageModelOf } from '../../../agent/text/text-conversation';
import { ScriptedModel } from '../../../agent/text/scripted/model';
import { startModelStandIn, type ModelStandIn, type Reply } from '../../../dev/model-stand-in/server';
import { CustomLlmServer } from '../support/custom-llm-server';
import { callContextWith, QUIET, ScriptedTalk } from '../support/text-agent';

const APOLOGY = 'I am sorry, something went wrong on my side. Could you please say that again?';

let models: ModelStandIn;
let talk: ScriptedTalk | null = null;
beforeEach(async () => {
  models = await startModelStandIn();
});
afterEach(async () => {
  await talk?.close();
  talk = null;
  await models.close();
});

/** An agent whose models are tried in this order. */
async function agentWith(first: object, second: object | null, language = 'en'): Promise<ScriptedTalk> {
  const llm = { primary: first, ...(second && { fallback: second }) };
  const config = { persona: { senses_capabilities: { language, brain: { llm } } } };
  const callContext = callContextWith(config);
  const settings = readModelSettings({ OPENAI_BASE_URL: models.url, OPENAI_API_KEY: 'x' });
  const guard = createGuard({ allowedHosts: [] });
  const { model, server } = languageModelOf(callContext, settings, { guard, log: QUIET });
  talk = await ScriptedTalk.open(config, { callContext, model, server });
  return talk;
}

const openai = (model: string) => ({ provider: 'openai', model });

// Must be the first test in this file, because later tests give the SDK a logger.
test('creates two models before the conversation begins', async () => {
  models.script('a', [{ text: 'Hello from a.' }]);
  const { said } = await (await agentWith(openai('a'), openai('b'))).say('Hello');
  expect(said).toBe('Hello from a.');
});

test('creates a custom server and a fallback before the conversation begins', async () => {
  const server = await CustomLlmServer.open();
  await server.behave({ kind: 'answer', status: 503 });
  models.script('b', [{ text: 'Hello from b.' }]);
  const custom = { provider: 'custom', url: `ws://${server.host}`, auth_token: 'a-token' };
  const { said } = await (await agentWith(custom, openai('b'))).say('Hello');
  await server.close();
  expect(said).toBe('Hello from b.');
});

const EMPTY: [string, Reply][] = [
  ['no text', { text: '' }],
  ['blanks', { text: ' \n ' }],
  ['reasoning only', { text: '<thinking>The limit is 500.</thinking>' }],
  ['reasoning that does not end', { text: '<think>The limit is 500. So' }],
  ['a tool call as text', { text: '<tool_call>{"name": "end_call", "arguments": {}}</tool_call>' }],
  ['a tool without a name', { toolCalls: [{ name: '', arguments: {} }] }],
  ['an emoji', { text: '👍' }],
];

test.each(EMPTY)('uses the fallback when the first model answers with %s', async (_what, reply) => {
  models.script('a', [reply]);
  models.script('b', [{ text: 'Hello from b.' }]);
  const { said } = await (await agentWith(openai('a'), openai('b'))).say('Hello');
  expect(said).toBe('Hello from b.');
});

test.each(EMPTY)('apologises when the only model answers with %s', async (_what, reply) => {
  models.script('a', [reply, { text: 'Here I am.' }]);
  const { conversation } = await agentWith(openai('a'), null);
  expect((await conversation.say('Hello')).said).toBe(APOLOGY);
  expect((await conversation.say('Hello?')).said).toBe('Here I am.');
});

test('apologises when neither model returns words, after calling both twice', async () => {
  for (const name of ['a', 'b']) models.script(name, [{ text: '' }]);
  const { conversation, words } = await agentWith(openai('a'), openai('b'));
  await expect(conversation.say('Hello')).rejects.toThrow('all LLMs failed');
  expect(words.join('')).toBe(APOLOGY);
  expect(models.requests('b').length).toBeLessThanOrEqual(4);
});

test('learns nothing from the reasoning of an aborted answer', async () => {
  models.script('a', [
    { text: 'They want a refund. ', cutAfterPieces: 1 },
    { text: 'They want a refund.</think>It is on its way.' },
  ]);
  models.script('b', [{ text: 'Hello from b.' }]);
  const { conversation } = await agentWith(openai('a'), openai('b'));
  expect((await conversation.say('Where is it?')).said).toBe('Hello from b.');
});

test('apologises in Hindi when the agent speaks Hindi', async () => {
  models.script('a', [{ text: '' }]);
  const { said } = await (await agentWith(openai('a'), null, 'hi')).say('नमस्ते');
  expect(said).toMatch(/^माफ़ कीजिए/);
});

test('stops apologising after three turns without an answer', async () => {
  models.script('a', [{ text: '' }]);
  const { conversation, words } = await agentWith(openai('a'), null);
  for (let turn = 0; turn < 4; turn += 1) await conversation.say('Hello').catch(() => undefined);
  expect(words.join('')).toBe(APOLOGY.repeat(3));
});

test('adds nothing after it has announced and requested a callback', async () => {
  const scripted = new ScriptedModel();
  talk = await ScriptedTalk.open({}, { model: new SpokenLlm(scripted, { mayReasonUnmarked: true }) });
  scripted.give([
    { text: 'We will call you tomorrow.', tools: [{ name: 'request_callback' }] },
    { text: '' },
  ]);
  expect((await talk.conversation.say('Call me tomorrow')).said).toBe('We will call you tomorrow.');
});

test.each([
  ['the end of its reasoning', 'They want a refund. The limit is 500.\n</think>\n\nIt is on its way.'],
  ['another tag', '<thinking>The limit is 500.</thinking>It is on its way.'],
])('says only the answer of a model that marks %s', async (_what, text) => {
  models.script('a', [{ text }]);
  const { conversation, words } = await agentWith(openai('a'), null);
  const said = [];
  for (let turn = 0; turn < 2; turn += 1) said.push((await conversation.say('Where is it?')).said);
  expect(said).toEqual(['It is on its way.', 'It is on its way.']);
  expect(words.join('')).toBe(said.join(''));
});
