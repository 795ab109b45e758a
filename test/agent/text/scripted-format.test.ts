/** Tests that faults in scripted conversations are found and that each expectation can fail. */
import { mkdtemp, mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from '../../../dev/remove-folder';
import { readConversations, conversationFiles } from '../../../agent/text/scripted/format';
import { Report } from '../../../agent/text/scripted/report';
import { runConversation } from '../../../agent/text/scripted/run';
import { QUIET } from '../support/text-agent';

const AGENT = {
  persona: {
    identity: { greeting_message: { agent_message: 'Hello.' } },
    actions: {
      find: {
        type: 'http_request',
        method: 'POST',
        url: 'https://a.example/find',
        parameters: { what: 'what' },
      },
      office: { type: 'transfer', to: '+912212345678' },
    },
  },
};

async function outcomeOf(script: object) {
  const [conversation] = readConversations({ agent: AGENT, ...script }, 'a file');
  return await runConversation(conversation!, {
    agent: { name: 'desk', config: AGENT },
    request: () => Promise.resolve({ kind: 'failed', why: 'not here' }),
    realModel: () => null,
    log: QUIET,
  });
}

/** A turn that uses every kind of action. */
const BUSY = {
  user: 'go',
  replies: [
    {
      text: 'Two words.',
      tools: [
        { name: 'find', arguments: { what: 'x' } },
        { name: 'request_callback', arguments: { at: '2026-11-23T15:00' } },
        { name: 'office' },
      ],
    },
    { text: 'Bye.', tools: [{ name: 'end_call' }] },
  ],
};
const SCRIPT = { now: '2026-11-23T06:00:00Z', http: [{ url: 'https://a.example/find', body: { found: 1 } }] };

const HOLDS = {
  contains: ['two WORDS', 'bye'],
  contains_any: ['no', 'two'],
  not_contains: 'three',
  matches: '^two',
  not_matches: 'three|four',
  says_nothing: false,
  max_words: 3,
  language: 'en',
  tool: ['find', { name: 'find', arguments: { what: 'x' } }],
  no_tool: 'rob_bank',
  request: { method: 'POST', url: 'https://a.example/*', body: { what: 'x' } },
  no_request: false,
  ends: true,
  callback: '2026-11-23T09:30:00Z',
  transfers_to: '+912212345678',
  model_called: 2,
  model_reads: ['found', 'You are a friendly, helpful assistant.'],
  model_reads_not: 'lost',
};

const FAILS: Record<keyof typeof HOLDS, unknown> = {
  contains: ['two', 'three'],
  contains_any: ['three', 'four'],
  not_contains: ['three', 'two'],
  matches: '^bye',
  not_matches: 'w.rds',
  says_nothing: true,
  max_words: 2,
  language: 'hi',
  tool: { name: 'find', arguments: { what: 'y' } },
  no_tool: 'find',
  request: { method: 'GET' },
  no_request: true,
  ends: false,
  callback: '2026-11-23T09:31:00Z',
  transfers_to: '+911111111111',
  model_called: false,
  model_reads: 'lost',
  model_reads_not: 'found',
};

describe('expectations', () => {
  test('passes when all expectations are met', async () => {
    expect(await outcomeOf({ ...SCRIPT, turns: [{ ...BUSY, expect: HOLDS }] })).toMatchObject({
      kind: 'passed',
      turns: [{ user: 'go', missed: [] }],
    });
  });

  test('fails each unmet expectation independently, and names the expected result', async () => {
    const outcomes = await Promise.all(
      Object.entries(FAILS).map(async ([key, value]) => {
        const outcome = await outcomeOf({ ...SCRIPT, turns: [{ ...BUSY, expect: { [key]: value } }] });
        return [key, outcome.kind, outcome.kind === 'not-run' ? 0 : outcome.turns[0]!.missed.length];
      }),
    );
    expect(outcomes).toEqual(Object.keys(HOLDS).map((key) => [key, 'failed', 1]));
  });

  test('accepts expectations of true and false for a turn in which nothing happens', async () => {
    const kinds = (wishes: object[]) =>
      Promise.all(
        wishes.map(async (wish) => {
          const turn = { user: 'go', replies: ['Fine.'], expect: wish };
          return (await outcomeOf({ turns: [turn] })).kind;
        }),
      );
    const wrong = [
      { callback: true },
      { ends: true },
      { no_request: false },
      { model_called: 2 },
      { tool: 'find' },
    ];
    const right = [
      { callback: false },
      { ends: false },
      { no_request: true },
      { model_called: true },
      { no_tool: true },
    ];
    expect(new Set(await kinds(wrong))).toEqual(new Set(['failed']));
    expect(new Set(await kinds(right))).toEqual(new Set(['passed']));
  });
});

describe('a conversation', () => {
  test('fails a conversation with a message when its script has no reply left', async () => {
    expect(await outcomeOf({ turns: [{ user: 'go' }] })).toMatchObject({
      kind: 'failed',
      turns: [{ missed: ['an answer: the script has no reply left'] }],
    });
  });

  test('fails a conversation that continues after its end', async () => {
    const bye = { user: 'bye', replies: [{ text: 'Bye.', tools: [{ name: 'end_call' }] }] };
    expect(await outcomeOf({ turns: [bye, { user: 'still there?', replies: ['Yes.'] }] })).toMatchObject({
      kind: 'failed',
      turns: [{ missed: [] }, { missed: ['the conversation to go on, but the agent had ended it'] }],
    });
  });

  test('drops unused replies at the end of their turn', async () => {
    const outcome = await outcomeOf({
      turns: [
        { user: 'one', replies: ['First.', 'Left over.'] },
        { user: 'two', replies: ['Second.'], expect: { contains: 'Second.' } },
      ],
    });
    expect(outcome.kind).toBe('passed');
  });

  test('returns a failure to the model for a request without a scripted response', async () => {
    const outcome = await outcomeOf({
      turns: [
        {
          user: 'go',
          replies: [{ tools: [{ name: 'find', arguments: { what: 'x' } }] }, 'Sorry.'],
          expect: { model_reads: 'the script has no answer to this request' },
        },
      ],
    });
    expect(outcome.kind).toBe('passed');
  });

  test('does not run a conversation that needs a real model when none is available', async () => {
    expect((await outcomeOf({ model: 'real', turns: [{ user: 'go' }] })).kind).toBe('not-run');
  });

  test("begins a conversation with the agent's greeting when the first turn has no words", async () => {
    expect(
      await outcomeOf({ turns: [{ expect: { matches: '^Hello\\.$', model_called: false } }] }),
    ).toMatchObject({ kind: 'passed' });
  });
});

describe('a file', () => {
  test.each([
    [
      { agent: 'a.json', turns: [{ user: 'a', expect: { contain: 'x' } }] },
      'turns[0].expect.contain is unknown',
    ],
    [
      { agent: 'a.json', turns: [{ user: 'a', expect: { matches: '(' } }] },
      'turns[0].expect.matches must be a regular expression',
    ],
    [
      { agent: 'a.json', turns: [{ user: 'a', expect: { contains: 7 } }] },
      'turns[0].expect.contains must be a string',
    ],
    [
      { agent: 'a.json', turns: [{ user: 'a', expect: { contains: [] } }] },
      'turns[0].expect.contains must be a string',
    ],
    [
      { agent: 'a.json', turns: [{ user: 'a', expect: { language: 'xx' } }] },
      'turns[0].expect.language must be one of en, hi',
    ],
    [
      { agent: 'a.json', turns: [{ user: 'a', expect: { ends: 'yes' } }] },
      'turns[0].expect.ends must be true or false',
    ],
    [{ agent: 'a.json', turns: [{ user: 'a', expect: [] }] }, 'turns[0].expect. must be an object'],
    [{ agent: 'a.json', turns: [{ usr: 'a' }] }, 'turns[0].usr is unknown'],
    [{ agent: 'a.json', turns: [{ user: 'a' }, {}] }, 'turns[1].user is required'],
    [{ agent: 'a.json', turns: [] }, 'turns must not be empty'],
    [{ agent: 'a.json', turns: 'x' }, 'turns must be a list'],
    [{ turns: [{ user: 'a' }] }, 'agent must be a path or an agent'],
    [
      { agent: 'a.json', turns: [{ user: 'a', replies: [{ tools: [{}] }] }] },
      'turns[0].replies[0].tools[0].name must be a string',
    ],
    [
      { agent: 'a.json', turns: [{ user: 'a', replies: [7] }] },
      'turns[0].replies[0] must be a string or a reply object',
    ],
    [
      { agent: 'a.json', model: 'real', turns: [{ user: 'a', replies: ['x'] }] },
      'turns[0].replies is only allowed with the scripted model',
    ],
    [{ agent: 'a.json', model: 'gpt', turns: [{ user: 'a' }] }, 'model must be "scripted" or "real"'],
    [{ agent: 'a.json', now: 'noon', turns: [{ user: 'a' }] }, 'now must be a time'],
    [{ agent: 'a.json', http: [{ status: '200' }], turns: [{ user: 'a' }] }, 'http[0].url must be a string'],
    [{ agent: 'a.json', htpp: [], turns: [{ user: 'a' }] }, 'htpp is unknown'],
    [[], 'the file contains no conversation'],
    [7, 'must be an object'],
  ])('rejects a file with %j: %s', (value, fault) => {
    expect(() => readConversations(value, 'a.conversation.json')).toThrow(fault);
  });

  test('names all faults of a file, with the index of the conversation in a list', () => {
    const good = { agent: 'a.json', turns: [{ user: 'a' }] };
    expect(() => readConversations([good, { ...good, odd: 1, model: 'x' }], 'a file')).toThrow(
      'a file:\n  [1].odd is unknown\n  [1].model must be "scripted" or "real"',
    );
  });

  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'conversations-'))));
  afterEach(() => removeFolder(folder));

  test('finds conversation files in a folder by their suffix, and loads the agents that they reference', async () => {
    await mkdir(join(folder, 'deep'));
    await writeFile(
      join(folder, 'agent.json'),
      JSON.stringify({ agent_display_name: 'Desk', config: AGENT }),
    );
    await writeFile(
      join(folder, 'deep', 'a.conversation.json'),
      JSON.stringify({ agent: '../agent.json', turns: [{ user: 'a' }] }),
    );
    const [file, ...more] = await conversationFiles([folder]);
    expect(more).toEqual([]);
    expect(file!.conversations[0]).toMatchObject({
      agent: { name: 'Desk', config: AGENT },
      script: { turns: { length: 1 } },
    });
    expect(await conversationFiles([folder, join(folder, 'deep', 'a.conversation.json')])).toHaveLength(1);
  });

  test.each([
    ['{', /is not valid JSON/],
    [
      JSON.stringify({ agent: 'nowhere.json', turns: [{ user: 'a' }] }),
      /nowhere\.json cannot be read: ENOENT/,
    ],
    [JSON.stringify({ agent: { name: 'x' }, turns: [{ user: 'a' }] }), /is not an agent/],
  ])('rejects a file that contains %s', async (text, why) => {
    await writeFile(join(folder, 'a.conversation.json'), text);
    await expect(conversationFiles([folder])).rejects.toThrow(why);
  });

  test('rejects a file that does not exist, and a folder without conversations', async () => {
    await expect(conversationFiles([join(folder, 'none')])).rejects.toThrow('does not exist');
    await expect(conversationFiles([folder])).rejects.toThrow('no .conversation.json in');
  });
});

test('reports a failed conversation up to the last turn with an unmet expectation', () => {
  const happened = {
    said: 'Said.',
    tools: [{ name: 'find', arguments: { a: 1 }, output: null, isError: false }],
    callActions: [],
  };
  const turns = [
    { user: 'one', happened, missed: [] },
    { user: 'two', happened, missed: ['to say "x"'] },
    { user: 'three', happened, missed: [] },
  ];
  const report = new Report({ hasColours: false, isLong: false });
  const all = [
    { file: 'f', title: 'good', outcome: { kind: 'passed' as const, turns } },
    { file: 'f', title: 'bad', outcome: { kind: 'failed' as const, turns } },
    { file: 'g', title: 'none', outcome: { kind: 'not-run' as const, why: 'no model' } },
  ];
  expect(all.flatMap((one) => report.linesOf(one))).toEqual([
    'f',
    '  ✓ good',
    '  ✗ bad',
    '      you    one',
    '      agent  Said.',
    '             find {"a":1}',
    '      you    two',
    '      agent  Said.',
    '             find {"a":1}',
    '             expected to say "x"',
    '\ng',
    '  – none: not run, no model',
  ]);
  expect(report.summary(all)).toBe('1 passed, 1 failed, 1 not run');
});
