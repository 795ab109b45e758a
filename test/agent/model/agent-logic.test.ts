/** Tests the agent's whole logic in a session: turns, tools, guardrails, interruptions and malformed configurations. */
import { createAgentLogic } from '../../../agent/model/agent-logic';
import { answerStream, piecesOf } from '../../../agent/model/llm-agent';
import type { OutgoingRequest } from '../../../agent/model/actions/actions';
import { callContextWith, QUIET, ScriptedTalk } from '../support/text-agent';

let talk: ScriptedTalk | null = null;
afterEach(async () => {
  await talk?.close();
  talk = null;
});

const FAQ = { training: { know_how: { faq: { 'How long do refunds take?': 'Five days, {{name}}.' } } } };
const CONTROLS = {
  endCall: () => undefined,
  requestCallback: () => undefined,
  transfer: () => Promise.resolve(true),
  actionSecrets: () => Promise.resolve(null),
  request: () => Promise.resolve({ kind: 'failed' as const, why: 'nothing there' }),
};

describe('an agent without a language model', () => {
  const open = (config: object) =>
    ScriptedTalk.open(config, { model: null, callContext: callContextWith(config, { name: 'Asha' }) });

  test('answers from the FAQ without a model, and says only once that no model is set up', async () => {
    talk = await open(FAQ);
    const said = [];
    for (const words of ['Hello', 'when do I get my refund?', 'What is the weather?'])
      said.push((await talk.say(words)).said);
    expect(said).toEqual([
      expect.stringMatching(/^No language model is set up/),
      'Five days, Asha.',
      'I have no answer to that in my list.',
    ]);
  });

  test("speaks Hindi sentences without a model when the agent's language is Hindi, and applies the guardrails", async () => {
    talk = await open({
      persona: { senses_capabilities: { language: 'hi' } },
      training: {
        know_how: { guardrails: { custom_rules: [{ triggers: ['बम'], handlingType: 'end_call' }] } },
      },
    });
    expect((await talk.say('नमस्ते')).said).toMatch(/भाषा मॉडल/);
    const { said, callActions } = await talk.say('मेरे पास बम है');
    expect(said).toBe('माफ़ कीजिए, मैं इस बारे में बात नहीं कर सकती।');
    expect(callActions).toEqual([{ kind: 'ended' }]);
  });

  test('finds FAQ answers without a model', () => {
    const logic = createAgentLogic(callContextWith(FAQ, { name: 'Asha' }), CONTROLS, {
      model: null,
      log: QUIET,
    });
    expect(logic.hasModel).toBe(false);
    expect(logic.answerFromFaq('how long does a refund take')).toBe('Five days, Asha.');
    expect(logic.answerFromFaq('bicycles')).toBeNull();
  });
});

describe("an agent's tools", () => {
  test('offers the model end_call and request_callback, but hides transfer_by_rule', async () => {
    talk = await ScriptedTalk.open({});
    expect(Object.keys(talk.conversation.logic.agent.toolCtx.functionTools).sort()).toEqual([
      'end_call',
      'request_callback',
      'transfer_by_rule',
    ]);
    await talk.say('hello', 'Hi.');
    expect(talk.model.tools.at(-1)).toEqual(['end_call', 'request_callback']);
  });

  test('uses the configured description when an action has the name of a built-in tool', async () => {
    talk = await ScriptedTalk.open(
      {
        persona: { actions: { end_call: { type: 'end_call', description: 'Only after {{n}} thanks.' } } },
      },
      {
        callContext: callContextWith(
          {
            persona: { actions: { end_call: { type: 'end_call', description: 'Only after {{n}} thanks.' } } },
          },
          { n: 2 },
        ),
      },
    );
    const { end_call: tool } = talk.conversation.logic.agent.toolCtx.functionTools;
    expect(tool?.description).toBe('Only after 2 thanks.');
  });

  test('replaces a farewell that a guardrail forbids', async () => {
    talk = await ScriptedTalk.open({
      training: {
        know_how: { guardrails: { custom_rules: [{ triggers: ['loser'], handlingType: 'block' }] } },
      },
    });
    const { said, callActions } = await talk.say('bye', {
      tools: [{ name: 'end_call', arguments: { farewell: 'Bye, loser.' } }],
    });
    expect(said).toBe('Thank you for your time. Goodbye.');
    expect(callActions).toEqual([{ kind: 'ended' }]);
  });

  test('ends the call only after the last words have been played', async () => {
    const order: string[] = [];
    talk = await ScriptedTalk.open(
      {},
      { onWords: (words) => order.push(words.trim()), onCallAction: ({ kind }) => order.push(kind) },
    );
    await talk.say('bye', { text: 'Thank you. Goodbye.', tools: [{ name: 'end_call' }] });
    expect(order.join(' ')).toBe('Thank you. Goodbye. ended');
  });

  test('returns an error to the model for unknown tools and invalid arguments', async () => {
    talk = await ScriptedTalk.open({});
    const { said, tools } = await talk.say('hello', { tools: [{ name: 'rob_bank' }] }, 'I cannot do that.');
    expect(said).toBe('I cannot do that.');
    expect(tools).toEqual([expect.objectContaining({ name: 'rob_bank', isError: true })]);
  });

  test('keeps the headers and the address of a request out of the log', async () => {
    const lines: unknown[] = [];
    const line = (...parts: unknown[]): void => void lines.push(parts);
    const sent: OutgoingRequest[] = [];
    talk = await ScriptedTalk.open(
      {
        persona: {
          actions: {
            secret_name: {
              type: 'http_request',
              url: 'https://api.example/hush?k=hush',
              headers: { A: 'hush' },
              parameters: { x: 'x' },
            },
          },
        },
      },
      {
        log: { debug: line, info: line, warn: line, error: line },
        request: (request) => {
          sent.push(request);
          return Promise.resolve({
            kind: 'answered',
            status: 200,
            contentType: '',
            body: 'hush',
            isCut: false,
          });
        },
      },
    );
    await talk.say('go', { tools: [{ name: 'secret_name', arguments: { x: 'hush' } }] }, 'Done.');
    expect(sent).toHaveLength(1);
    expect(lines.length).toBeGreaterThan(0);
    expect(JSON.stringify(lines)).not.toMatch(/hush|secret_name|api\.example/);
  });
});

describe('guardrails in the session', () => {
  const rules = (...custom: object[]) => ({
    training: { know_how: { guardrails: { custom_rules: custom } } },
  });

  test('adds the replacement of a blocked answer to the history', async () => {
    talk = await ScriptedTalk.open(
      rules({ triggers: ['rapid'], handlingType: 'block', response: 'Not about {{them}}.' }),
      {
        callContext: callContextWith(
          rules({ triggers: ['rapid'], handlingType: 'block', response: 'Not about {{them}}.' }),
          { them: 'others' },
        ),
      },
    );
    await talk.say('who?', 'There are some. Rapid is one.');
    await talk.say('go on', 'Well.');
    const history = JSON.stringify(talk.model.requests.at(-1)!.items);
    expect(history).toContain('There are some. Not about others.');
    expect(history).not.toContain('Rapid');
  });

  test("checks the caller's words once per turn, not again after each tool call", async () => {
    talk = await ScriptedTalk.open(rules({ triggers: ['card'], handlingType: 'warn', response: 'Careful.' }));
    const { said } = await talk.say('my card', { tools: [{ name: 'request_callback' }] }, 'We will call.');
    expect(said.match(/Careful/g)).toHaveLength(1);
    expect(said).toContain('We will call.');
  });

  test('speaks the response of a transfer rule that has no destination, and does not transfer', async () => {
    talk = await ScriptedTalk.open(
      rules({ triggers: ['lawyer'], handlingType: 'transfer', response: 'I see.' }),
    );
    expect(await talk.say('lawyer')).toEqual({ said: 'I see.', tools: [], callActions: [] });
  });

  test.each([
    ['+912212345678', '+912212345678'],
    ['office', '+911111111111'],
  ])('transfers to %s by a transfer rule', async (to, place) => {
    talk = await ScriptedTalk.open({
      ...rules({ triggers: ['lawyer'], handlingType: 'transfer', transfer_to: to }),
      persona: { actions: { office: { type: 'transfer', to: '+911111111111' } } },
    });
    expect((await talk.say('lawyer')).callActions).toEqual([{ kind: 'transfer', to: place }]);
  });
});

describe('an interruption', () => {
  test('cancels the request of a model that has not answered yet', async () => {
    let wasLetGo = false;
    let asked: () => void;
    const isAsked = new Promise<void>((resolve) => (asked = resolve));
    const silent = new ReadableStream<string>(
      { pull: () => asked(), cancel: () => void (wasLetGo = true) },
      { highWaterMark: 0 },
    );
    const answer = answerStream(async function* (cancelled) {
      yield 'One moment. ';
      yield* piecesOf(silent, cancelled);
    });
    const reader = answer.getReader();
    expect((await reader.read()).value).toBe('One moment. ');
    const waiting = reader.read();
    await isAsked;
    await reader.cancel();
    expect([await waiting, wasLetGo]).toEqual([{ done: true, value: undefined }, true]);
  });

  test('hides the error of a cancelled stream, but no other error', async () => {
    const failing = () =>
      new ReadableStream<string>({ pull: (controller) => controller.error(new Error('gone')) });
    const answer = () => answerStream((cancelled) => piecesOf(failing(), cancelled)).getReader();
    await expect(answer().read()).rejects.toThrow('gone');
    const other = answer();
    await other.cancel();
    expect(await other.read()).toEqual({ done: true, value: undefined });
  });
});

describe('a malformed configuration', () => {
  const VALUES = [
    null,
    7,
    '',
    'x',
    true,
    [],
    {},
    [null, 7, [[]]],
    { a: null, b: { c: [] } },
    'y'.repeat(100_000),
    { '': '' },
    -0.5,
  ];
  const PATHS = [
    ['persona'],
    ['persona', 'identity'],
    ['persona', 'identity', 'system_prompt'],
    ['persona', 'identity', 'personality'],
    ['persona', 'identity', 'greeting_message'],
    ['persona', 'senses_capabilities'],
    ['persona', 'senses_capabilities', 'language'],
    ['persona', 'actions'],
    ['persona', 'actions', 'one'],
    ['persona', 'actions', 'one', 'headers'],
    ['persona', 'actions', 'one', 'parameters'],
    ['persona', 'memories'],
    ['persona', 'metadata'],
    ['training'],
    ['training', 'knowledge'],
    ['training', 'knowledge', 'rag_knowledge_base_dict'],
    ['training', 'know_how'],
    ['training', 'know_how', 'faq'],
    ['training', 'know_how', 'pain_points'],
    ['training', 'know_how', 'guardrails'],
    ['training', 'know_how', 'guardrails', 'level'],
    ['training', 'know_how', 'guardrails', 'custom_rules'],
    ['training', 'know_how', 'guardrails', 'custom_rules', '0'],
    ['experience', 'conversational_experience', 'mood_mapping'],
  ];

  const GOOD = () => ({
    persona: { actions: { one: { type: 'http_request', url: 'https://a.example/' } } },
    training: {
      knowledge: { use_rag: true },
      know_how: { guardrails: { level: 'strict', custom_rules: [{}] } },
    },
  });

  function put(config: any, path: string[], value: unknown): object {
    let at = config;
    for (const key of path.slice(0, -1)) at = at[key] ??= {};
    at[path.at(-1)!] = value;
    return config as object;
  }

  test.each(PATHS.map((path) => [path.join('.'), path] as const))(
    'creates an agent despite a malformed %s',
    (_name, path) => {
      for (const value of VALUES) {
        const logic = createAgentLogic(callContextWith(put(GOOD(), [...path], value)), CONTROLS, {
          model: null,
          log: QUIET,
        });
        expect(logic.instructions.length).toBeLessThan(250_000);
        expect(logic.guard.checkCaller('hello').kind).toBe('pass');
        expect(Object.keys(logic.agent.toolCtx.functionTools)).toContain('end_call');
      }
    },
  );

  test('logs malformed settings by their path, without their content', () => {
    const lines: unknown[] = [];
    createAgentLogic(
      callContextWith({
        persona: { actions: { hush: { type: 'hush' } }, memories: { hush: { deep: 'hush' } } },
      }),
      CONTROLS,
      { model: null, log: { ...QUIET, warn: (fields) => lines.push(fields) } },
    );
    expect(lines).toEqual([
      { part: 'persona.actions', why: 'an unknown type', count: 1 },
      { part: 'persona.memories', why: expect.any(String), count: 1 },
    ]);
    expect(JSON.stringify(lines)).not.toContain('hush');
  });
});
