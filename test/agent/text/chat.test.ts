/** Tests a conversation in the terminal: options, output, and a real model over HTTP. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { chat, Screen } from '../../../agent/text/chat';
import { readChatOptions } from '../../../agent/text/chat-options';
import { fetchAgent, maskedSecrets, readAgent, textCallContext } from '../../../agent/text/loaded-agent';
import { languageModelOf } from '../../../agent/text/text-conversation';
import { createGuard } from '../../../agent/network/guarded-agent';
import { readModelSettings } from '../../../agent/settings';
import { startModelStandIn, type ModelStandIn } from '../../../dev/model-stand-in/server';
import { CustomLlmServer } from '../support/custom-llm-server';
import { callContextWith, QUIET, ScriptedTalk } from '../support/text-agent';

test('counts masked secrets at any depth', () => {
  const actions = {
    a: { headers: { Authorization: '********', Accept: '*' } },
    b: [{ token: '********' }, null],
  };
  expect(maskedSecrets({ persona: { actions } })).toBe(2);
  expect(maskedSecrets({ persona: { identity: { system_prompt: 'a ******** b' } } })).toBe(0);
});

describe('the command line', () => {
  test.each([
    [['a.json'], {}, { agent: { from: 'file', path: 'a.json' }, variables: {}, isDryRun: false }],
    [
      ['--agent', 'a.json', '--variable', 'name=Asha', '--variable', 'q=a=b', '--dry-run'],
      {},
      { agent: { from: 'file', path: 'a.json' }, variables: { name: 'Asha', q: 'a=b' }, isDryRun: true },
    ],
    [
      ['--agent-id', 'desk'],
      { API_KEY: 'k', API_URL: 'http://api' },
      {
        agent: { from: 'api', agentId: 'desk', url: 'http://api', key: 'k' },
        variables: {},
        isDryRun: false,
      },
    ],
    [
      ['--agent-id', 'desk', '--api-key', 'k'],
      {},
      {
        agent: { from: 'api', agentId: 'desk', url: 'http://localhost:8080', key: 'k' },
        variables: {},
        isDryRun: false,
      },
    ],
    [['--help'], {}, null],
  ])('parses the options %j with the environment %j as %j', (args, env, wish) => {
    expect(readChatOptions(args, env)).toEqual(wish);
  });

  test.each([
    [[], 'specify an agent'],
    [['a.json', 'b.json'], 'specify only one agent'],
    [['--agent-id', 'x'], 'no API key'],
    [['a.json', '--variable', 'x'], '--variable takes NAME=VALUE'],
    [['--odd'], "Unknown option '--odd'"],
  ])('rejects %j: %s', (args, why) => {
    expect(() => readChatOptions(args, {})).toThrow(why);
  });
});

describe('an agent', () => {
  const config = { persona: { metadata: { company: 'Fleetway', name: 'nobody' } } };

  test.each([
    [{ agent_display_name: 'Desk', config }, 'Desk'],
    [{ id: '1', agent_name: 'desk', display_name: 'Desk', config }, 'Desk'],
    [config, 'file.json'],
  ])('reads an agent from %j', (value, name) => {
    expect(readAgent(value, 'file.json')).toEqual({ name, config });
  });

  test.each([null, [], 'x', {}, { config: {} }, { persona: 'x' }])('rejects %j as an agent', (value) => {
    expect(() => readAgent(value, 'file.json')).toThrow('file.json is not an agent');
  });

  test("combines the agent's metadata with the person's name and the other variables of the conversation", () => {
    const agent = readAgent(config, 'x');
    expect(textCallContext(agent, { name: 'Asha' }).variables).toEqual({ company: 'Fleetway', name: 'Asha' });
    expect(textCallContext(agent, {}).customLlm).toBeNull();
  });

  test('fetches an agent from the API by its name, with the API key', async () => {
    const asked: unknown[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url, request.headers['x-api-key']);
      const isKnown = request.headers['x-api-key'] === 'k';
      response
        .writeHead(isKnown ? 200 : 401)
        .end(JSON.stringify(isKnown ? { display_name: 'Desk', config } : {}));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(await fetchAgent({ url: `${url}/`, key: 'k' }, 'a b')).toEqual({ name: 'Desk', config });
    expect(asked).toEqual(['/api/agent/a%20b', 'k']);
    await expect(fetchAgent({ url, key: 'x' }, 'a')).rejects.toThrow('rejected the key');
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
    await expect(fetchAgent({ url, key: 'k' }, 'a')).rejects.toThrow("isn't responding");
  });
});

describe('the terminal', () => {
  async function seen(
    config: object,
    lines: string[],
    replies: (talk: ScriptedTalk) => void = () => undefined,
  ) {
    let text = '';
    const screen = new Screen({ write: (part) => (text += part), hasColours: false });
    const talk = await ScriptedTalk.open(config, {
      callContext: callContextWith(config, { name: 'Asha' }),
      onWords: (words) => screen.words(words),
      onTool: (tool) => screen.tool(tool),
      onCallAction: (action) => screen.callAction(action),
    });
    replies(talk);
    await chat({
      conversation: talk.conversation,
      screen,
      input: Readable.from(lines.map((line) => `${line}\n`)),
      isTyped: false,
    });
    await talk.close();
    return text;
  }

  test('shows words, tools and the end in order', async () => {
    const config = {
      persona: {
        identity: { greeting_message: { agent_message: 'Hello {{name}}.' } },
        actions: {
          find: {
            type: 'http_request',
            url: 'https://a.example/{{id}}',
            headers: { Key: 'hush' },
            parameters: { id: 'i' },
          },
        },
      },
    };
    const text = await seen(config, ['where is 7?', '', 'never said'], ({ model }) =>
      model.give([
        { text: 'Let me look.', tools: [{ name: 'find', arguments: { id: '7' } }] },
        { text: 'Not there. Goodbye.', tools: [{ name: 'end_call' }] },
      ]),
    );
    expect(text).toBe(
      [
        'agent  Hello Asha.',
        'you    where is 7?',
        'agent  Let me look.',
        '       GET https://a.example/7',
        '       find {"id":"7"}',
        '       {"error":"no server is there"}',
        'agent  Not there. Goodbye.',
        '       end_call {}',
        '       ends the call',
        '',
      ].join('\n'),
    );
  });

  test('shows the instructions, the ignored settings and the help on request', async () => {
    const text = await seen(
      { persona: { identity: { system_prompt: 'You are {{name}}.' }, actions: { odd: { type: 'fax' } } } },
      ['/prompt', '/left-out', '/what', '/end', 'never said'],
    );
    expect(text).toContain('You are Asha.\n');
    expect(text).toContain('persona.actions: an unknown type (1)');
    expect(text).toContain('Commands: /prompt');
    expect(text).not.toContain('never said');
  });

  test('shows a model failure, and continues the conversation', async () => {
    const text = await seen({}, ['one', 'two']);
    expect(text.match(/no answer: the script has no reply left/g)).toHaveLength(2);
  });
});

describe('a conversation with a model', () => {
  let models: ModelStandIn;
  beforeAll(async () => (models = await startModelStandIn()));
  afterAll(() => models.close());

  const CONFIG = {
    persona: {
      identity: { system_prompt: 'You are the desk.' },
      senses_capabilities: {
        brain: { llm: { primary: { provider: 'openai', model: 'small', parameters: { temperature: 0.2 } } } },
      },
      actions: {
        find: {
          type: 'http_request',
          url: 'https://a.example/{{id}}',
          description: 'Finds it',
          parameters: {
            type: 'object',
            properties: { id: { type: 'string', description: 'the number' } },
            required: ['id'],
          },
        },
      },
    },
    training: {
      knowledge: { use_rag: true },
      know_how: { faq: { 'How long do refunds take?': 'Five days.' } },
    },
  };

  test('puts passages before the words, offers tools, and applies guardrails to answers', async () => {
    models.script('small', [
      { toolCalls: [{ name: 'find', arguments: { id: '7' } }] },
      { text: 'Five days. Rapid Courier says so.' },
    ]);
    const settings = readModelSettings({ OPENAI_BASE_URL: models.url });
    const config = {
      ...CONFIG,
      training: {
        ...CONFIG.training,
        know_how: {
          ...CONFIG.training.know_how,
          guardrails: { custom_rules: [{ triggers: ['rapid courier'], response: 'No.' }] },
        },
      },
    };
    const callContext = callContextWith(config);
    const { model, missing } = languageModelOf(callContext, settings, {
      guard: createGuard({ allowedHosts: [] }),
      log: QUIET,
    });
    expect(missing).toEqual([]);
    const talk = await ScriptedTalk.open(config, { callContext, model });
    const { said, tools } = await talk.say('How long does my refund take?');
    await talk.close();

    expect(said).toBe('Five days. No.');
    expect(tools).toEqual([
      {
        name: 'find',
        arguments: { id: '7' },
        output: '{"error":"no server is there"}',
        isError: false,
      },
    ]);
    const [first, second] = models.requests('small').map(({ body }) => body as any);
    expect(first.messages.map(({ role }: any) => role)).toEqual(['system', 'system', 'user']);
    expect(first.messages[0].content).toContain('You are the desk.');
    expect(first.messages[1].content).toContain('Five days.');
    expect(first.temperature).toBe(0.2);
    expect(first.tools.map((tool: any) => tool.function.name)).toEqual([
      'end_call',
      'find',
      'request_callback',
    ]);
    expect(first.tools[1].function).toMatchObject({
      description: 'Finds it',
      parameters: CONFIG.persona.actions.find.parameters,
    });
    expect(second.messages.map(({ role }: any) => role)).toEqual([
      'system',
      'system',
      'user',
      'assistant',
      'tool',
    ]);
  });

  describe("an organization's own server", () => {
    let server: CustomLlmServer;
    beforeEach(async () => {
      server = await CustomLlmServer.open();
    });
    afterEach(() => server.close());

    async function talkWith(hello: string[]): Promise<ScriptedTalk> {
      await server.behave({ kind: 'take', hello });
      const llm = { primary: { provider: 'custom', url: `ws://${server.host}`, auth_token: 'a-token' } };
      const identity = { greeting_message: { agent_message: 'Hello from the desk.' } };
      const config = { persona: { identity, senses_capabilities: { brain: { llm } } } };
      const callContext = textCallContext({ name: 'desk', config }, {});
      const guard = createGuard({ allowedHosts: [server.host] });
      const { missing, ...choice } = languageModelOf(callContext, readModelSettings({}), {
        guard,
        log: QUIET,
      });
      expect(missing).toEqual([]);
      return ScriptedTalk.open(config, { callContext, ...choice });
    }

    async function greetingOf(hello: string[]): Promise<{ greeted: string; heard: string[] }> {
      const talk = await talkWith(hello);
      const greeted = await talk.conversation.greet();
      await talk.close();
      return { greeted, heard: talk.words };
    }

    test('opens the conversation with the server’s greeting in place of the agent’s', async () => {
      const content = 'Namaste from the server.';
      const { greeted, heard } = await greetingOf([
        JSON.stringify({ interaction_type: 'greeting', content }),
      ]);
      expect([greeted, heard.join('')]).toEqual([content, content]);
    });

    test('ends the conversation with end_call after the server’s last words', async () => {
      const talk = await talkWith([]);
      const exchange = talk.say('Thank you, bye.');
      await server.asked(1);
      expect(talk.conversation.hasEnded).toBe(false);
      await server.finish(1, 'Goodbye then.', { end_call: true });
      expect(await exchange).toMatchObject({ said: 'Goodbye then.', callActions: [{ kind: 'ended' }] });
      expect(talk.conversation.hasEnded).toBe(true);
      await talk.close();
    });

    test('keeps the agent’s own greeting when the server sends an empty one', async () => {
      const { greeted } = await greetingOf([JSON.stringify({ interaction_type: 'greeting', content: '' })]);
      expect(greeted).toBe('Hello from the desk.');
    });
  });

  test('reports the reason when no model is configured', () => {
    const { model, missing } = languageModelOf(callContextWith({}), readModelSettings({}), {
      guard: createGuard({ allowedHosts: [] }),
      log: QUIET,
    });
    expect(model).toBeNull();
    expect(missing).toHaveLength(1);
  });
});
