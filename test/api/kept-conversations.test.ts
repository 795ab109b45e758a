import { issueApiKey } from '../../db/organizations/api-keys';
import { newAgent } from './support/rows';
import { openTestApi, type TestApi, type TestOrganization } from './support/test-api';

const REFUND = {
  title: 'A refund',
  variables: { name: 'Asha', order: 7 },
  turns: [
    { expect: { contains: ['Asha'], max_words: 20 } },
    {
      user: 'Where is my refund?',
      expect: { contains_any: ['paid', 'days'], not_contains: ['sorry'], says_nothing: false, ends: false },
    },
  ],
};

let api: TestApi;
let agentId: string;

beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  agentId = await newAgent(api);
});

const path = () => `/api/agent/${agentId}/conversations`;
const put = (conversations: unknown, as: TestOrganization = api.organization) =>
  api.ask(path(), { method: 'PUT', json: { conversations }, as });
const read = (as: TestOrganization = api.organization) => api.ask(path(), { as });
const rowsOf = (id: string) => api.db('agent_conversations').where({ agent_id: id });
const withTurns = (turns: unknown) => [{ title: 'T', turns }];
const repeated = (value: unknown, count: number) => Array.from({ length: count }, () => value);

describe('the test conversations of an agent', () => {
  test('returns no conversations at first, then the stored ones in order', async () => {
    expect((await read()).body).toEqual({ conversations: [] });
    const second = { title: 'B', variables: {}, turns: [{ user: 'Hi', expect: {} }] };
    const { status, body } = await put([REFUND, { title: 'B', turns: [{ user: 'Hi' }] }]);
    expect([status, body]).toEqual([200, { success: true }]);
    expect((await read()).body).toEqual({ conversations: [REFUND, second] });
  });

  test('replaces all conversations, and removes them with an empty list', async () => {
    await put([REFUND, { ...REFUND, title: 'B' }]);
    await put([{ ...REFUND, title: 'C' }]);
    expect((await read()).body.conversations.map(({ title }: any) => title)).toEqual(['C']);
    await put([]);
    expect((await read()).body).toEqual({ conversations: [] });
  });

  test('creates no version of the agent, and records the change without its content', async () => {
    await put([REFUND]);
    expect(await api.db('agent_versions').where({ agent_id: agentId })).toHaveLength(1);
    const [entry] = await api.db('audit_log').where({ subject_id: agentId, action: 'agent.conversations' });
    expect(entry).toMatchObject({ organization_id: api.organization.id, fields: [] });
  });

  test('deletes the conversations when the agent is archived', async () => {
    await put([REFUND]);
    await api.ask(`/api/agent/${agentId}`, { method: 'DELETE' });
    expect(await rowsOf(agentId)).toEqual([]);
    expect([(await read()).status, (await put([REFUND])).status]).toEqual([404, 404]);
    expect(await rowsOf(agentId)).toEqual([]);
  });

  test("returns 404 for another organization's conversations, and keeps them", async () => {
    await put([REFUND]);
    const answers = [await read(api.stranger), await put([], api.stranger)];
    expect(answers.map(({ status, body }) => [status, body.detail.code])).toEqual([
      [404, 'AGENT_NOT_FOUND'],
      [404, 'AGENT_NOT_FOUND'],
    ]);
    expect((await read()).body.conversations).toHaveLength(1);
  });

  test('requires the scope read for reading, and configure for replacing', async () => {
    const keyed = async (scope: 'read' | 'operate' | 'configure') => {
      const { key } = await issueApiKey(api.db, api.organization.id, { scopes: [scope] });
      return { ...api.organization, key };
    };
    const [reader, caller, editor] = [await keyed('read'), await keyed('operate'), await keyed('configure')];
    expect([(await read(reader)).status, (await put([REFUND], editor)).status]).toEqual([200, 200]);
    expect([(await put([], reader)).status, (await put([], caller)).status]).toEqual([403, 403]);
  });
});

describe('a rejected list of conversations', () => {
  test.each<[string, () => unknown, (string | number)[], string]>([
    ['without a title', () => [{ ...REFUND, title: ' ' }], [0, 'title'], 'must not be blank'],
    ['without turns', () => withTurns([]), [0, 'turns'], 'must have at least 1 entries'],
    [
      'of 41 turns',
      () => withTurns(repeated({ user: 'Hi' }, 41)),
      [0, 'turns'],
      'must have at most 40 entries',
    ],
    ['too many, the 51st', () => repeated(REFUND, 51), [], 'must have at most 50 entries'],
    [
      'whose second turn has no `user`',
      () => withTurns([{ expect: {} }, { expect: {} }]),
      [0, 'turns'],
      'must have `user` in every turn except the first. Leave it out of the first turn if the agent speaks first',
    ],
    [
      'with a misspelt expectation, which would always be met',
      () => withTurns([{ user: 'Hi', expect: { contain: ['x'] } }]),
      [0, 'turns', 0, 'expect', 'contain'],
      'is not allowed',
    ],
    [
      'with a field that only the file format has',
      () => withTurns([{ user: 'Hi', replies: ['Hello'] }]),
      [0, 'turns', 0, 'replies'],
      'is not allowed',
    ],
    [
      'with an expectation that is always met',
      () => withTurns([{ user: 'Hi', expect: { contains: [''] } }]),
      [0, 'turns', 0, 'expect', 'contains', 0],
      'must not be empty',
    ],
    [
      'with a negative word limit',
      () => withTurns([{ user: 'Hi', expect: { max_words: -1 } }]),
      [0, 'turns', 0, 'expect', 'max_words'],
      'must be at least 0',
    ],
    [
      'with a turn longer than the agent reads',
      () => withTurns([{ user: 'x'.repeat(4_001) }]),
      [0, 'turns', 0, 'user'],
      'must be at most 4000 characters long',
    ],
    [
      'with more variables than a dispatch has',
      () => [{ ...REFUND, variables: { long: 'x'.repeat(17_000) } }],
      [0, 'variables'],
      'must be at most 16384 bytes as JSON',
    ],
  ])(
    'rejects a list with a conversation %s, and keeps the stored ones',
    async (_title, conversations, place, msg) => {
      await put([REFUND]);
      const { status, body } = await put(conversations());
      expect([status, body.detail.map(({ loc, msg: said }: any) => [loc, said])]).toEqual([
        422,
        [[['body', 'conversations', ...place], msg]],
      ]);
      expect((await read()).body).toEqual({ conversations: [REFUND] });
    },
  );

  test('rejects a list with more than 3,000 values in total', async () => {
    const long = { title: 'T', turns: repeated({ user: 'Hi', expect: { contains: ['a', 'b'] } }, 40) };
    const { status, body } = await put(repeated(long, 50));
    expect([status, body.detail[0].type]).toEqual([422, 'values.max']);
  });
});
