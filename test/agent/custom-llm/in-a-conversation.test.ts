/** Runs a whole conversation with a custom LLM server. The user types, as in a browser. */
import { startModelStandIn, type ModelStandIn } from '../../../dev/model-stand-in/server';
import { CustomLlmServer } from '../support/custom-llm-server';
import { CALL, NO_SPEECH, Rig } from '../support/rig';
import { callContextOf } from '../support/fake-platform';
import { BROWSER } from '../support/fake-room';

let server: CustomLlmServer;
let models: ModelStandIn;
let rig: Rig;
let conversation: Promise<void>;

beforeEach(async () => {
  server = await CustomLlmServer.open();
  await server.behave({
    kind: 'take',
    hello: [JSON.stringify({ interaction_type: 'greeting', content: 'Namaste from the server.' })],
  });
  models = await startModelStandIn();
  models.script('spare', [{ text: 'The spare model here.' }]);
  rig = await Rig.open();
  rig.allowedHosts.push(server.host);
  const llm = {
    primary: { provider: 'custom', url: `ws://${server.host}`, auth_token: 'a-token' },
    fallback: { provider: 'openai', model: 'spare' },
  };
  const identity = {
    system_prompt: 'You are brief.',
    greeting_message: { agent_message: "The agent's own greeting." },
  };
  const config = { persona: { identity, senses_capabilities: { brain: { llm } } } };
  rig.platform.callContexts.set(
    CALL,
    callContextOf(CALL, {
      medium: 'webrtc',
      agent: { name: 'Asha', config },
      custom_llm: {
        x_agent_id: 'tenant-7',
        modify_agent: null,
        contact_number: null,
        metadata: { city: 'Pune' },
      },
    }),
  );
  rig.after('publishReady', () => rig.room.addParticipant(BROWSER));
  conversation = rig.run(CALL, {
    speech: { ...NO_SPEECH, endpoints: { openai: { url: models.url, apiKey: null } } },
  });
});
afterEach(async () => {
  rig.room.removeParticipant(BROWSER);
  await conversation;
  await rig.platform.close();
  await server.close();
  await models.close();
});

const said = (): string[] =>
  rig.platform.events
    .filter(({ type }) => type === 'segment')
    .map(({ speaker, text }) => `${speaker}: ${text}`);
const untilSaid = (line: string): Promise<void> => rig.platform.until(() => said().includes(line));

test('speaks the greeting and answers of a custom LLM server, and ends the call once its last words are played', async () => {
  await untilSaid('agent: Namaste from the server.');
  rig.room.type(BROWSER, 'Can I come on Friday?');
  const { transcript, req_body: body } = await server.asked(1);
  expect(transcript.map(({ role, content }: any) => [role, content]).slice(1)).toEqual([
    ['assistant', 'Namaste from the server.'],
    ['user', 'Can I come on Friday?'],
  ]);
  expect([transcript[0].role, transcript[0].content]).toEqual([
    'system',
    expect.stringContaining('You are brief.'),
  ]);
  expect(body).toEqual({ x_agent_id: 'tenant-7', modify_agent: null, contact_number: null, city: 'Pune' });
  await server.reply(1, 'Friday suits ');
  await server.finish(1, 'us well.');
  await untilSaid('agent: Friday suits us well.');
  rig.room.type(BROWSER, 'Thank you, bye.');
  await server.asked(2);
  await server.finish(2, 'Goodbye then.', { end_call: true });
  await conversation;
  expect(said().at(-1)).toBe('agent: Goodbye then.');
  expect(rig.platform.events.at(-1)).toMatchObject({ type: 'ended', end_reason: 'agent' });
  expect(await server.attempts()).toEqual([{ path: `/${CALL}`, authorization: 'Bearer a-token' }]);
  expect(rig.counted).toContainEqual({ kind: 'ended', end: 'agent' });
});

test("continues with the fallback when the custom LLM server dies, and keeps both models' words in the transcript", async () => {
  await untilSaid('agent: Namaste from the server.');
  await server.close();
  rig.room.type(BROWSER, 'Are you there?');
  await untilSaid('agent: The spare model here.');
  const [request] = models.requests('spare');
  expect(JSON.stringify(request?.body)).toContain('Namaste from the server.');
  expect(rig.counted).toContainEqual({ kind: 'failed', part: 'llm', provider: 'custom' });
  expect(rig.counted).toContainEqual({ kind: 'fell back', part: 'llm' });
});
