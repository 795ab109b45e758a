/** Tests tool calls of actions in a conversation: the digits of their numbers, and their secrets. */
import type { OutgoingRequest } from '../../../agent/model/actions/actions';
import { createAgentLogic } from '../../../agent/model/agent-logic';
import { callContextWith, QUIET, ScriptedTalk } from '../support/text-agent';

let talk: ScriptedTalk | null = null;
afterEach(async () => {
  await talk?.close();
  talk = null;
});

describe('secret headers of an action', () => {
  const headers = { Authorization: '********', 'X-Tenant': '{{tenant}}' };
  const stock = {
    type: 'http_request',
    url: 'https://a.example/{{id}}',
    headers,
    parameters: { id: 'which' },
  };
  const config = { persona: { actions: { 'In stock?': stock } } };

  async function used(id: string, secrets: Record<string, string> | null) {
    const asked: string[] = [];
    const sent: OutgoingRequest[] = [];
    const controls = {
      endCall: () => undefined,
      requestCallback: () => undefined,
      transfer: () => Promise.resolve(true),
      actionSecrets: (action: string) => Promise.resolve((asked.push(action), secrets)),
      request: (request: OutgoingRequest) => {
        sent.push(request);
        return Promise.resolve({ kind: 'failed' as const, why: 'nothing there' });
      },
    };
    const options = { model: null, log: QUIET };
    const { agent } = createAgentLogic(callContextWith(config, { tenant: 'seven' }), controls, options);
    const tool = agent.toolCtx.functionTools.In_stock_!;
    const result = await tool
      .execute({ id }, { toolCallId: 'c' } as never)
      .catch((error: Error) => error.message);
    return { asked, sent: sent.map((request) => request.headers), result };
  }

  test("fetches secret headers by the action's configured name when it sends the request", async () => {
    const secrets = { Authorization: 'Bearer key', 'X-Other': 'never asked' };
    expect(await used('7', secrets)).toMatchObject({
      asked: ['In stock?'],
      sent: [{ Authorization: 'Bearer key', 'X-Tenant': 'seven' }],
    });
  });

  test('fetches no secret headers when the arguments are rejected', async () => {
    expect(await used('..', {})).toMatchObject({ asked: [], sent: [] });
  });

  test('sends no masked headers when the platform returns no secrets', async () => {
    const { sent, result } = await used('7', null);
    expect([sent, result]).toEqual([[], { error: 'the secret of this action is not available' }]);
  });
});

describe('digits in a tool call', () => {
  const openWith = async (action: object) => {
    const sent: OutgoingRequest[] = [];
    const config = { persona: { actions: { pay: { type: 'http_request', ...action } } } };
    talk = await ScriptedTalk.open(config, {
      request: (request) => {
        sent.push(request);
        return Promise.resolve({ kind: 'failed', why: 'nothing there' });
      },
    });
    return { talk, sent };
  };
  const parameters = {
    properties: { account: { type: 'integer' }, amount: { type: 'number' }, more: {} },
    required: ['account'],
  };

  test("keeps all digits of numbers in an action's address, query and body", async () => {
    const raw = '{"account": 12345678901234567, "amount": 0.0000001, "more": [{"n": 9007199254740993}]}';
    const url = 'https://a.example/accounts/{{account}}';
    for (const method of ['GET', 'POST']) {
      const { talk, sent } = await openWith({ method, url, parameters });
      await talk.say('pay', { tools: [{ name: 'pay', arguments: raw }] }, 'Done.');
      expect(sent).toEqual([
        expect.objectContaining(
          method === 'GET'
            ? {
                url: `${url.replace('{{account}}', '12345678901234567')}?amount=0.0000001&more=%5B%7B%22n%22%3A9007199254740993%7D%5D`,
              }
            : { body: '{"account":12345678901234567,"amount":0.0000001,"more":[{"n":9007199254740993}]}' },
        ),
      ]);
      await talk.close();
    }
  });

  test("keeps all digits of a number in a configured body and in the model's history", async () => {
    const body = { n: '{{account}}', text: 'For {{account}}' };
    const { talk, sent } = await openWith({ method: 'POST', url: 'https://a.example/', body, parameters });
    await talk.say('pay', { tools: [{ name: 'pay', arguments: '{"account":90071992547409930}' }] }, 'Done.');
    expect(sent[0]?.body).toBe('{"n":90071992547409930,"text":"For 90071992547409930"}');
    const history = JSON.stringify(talk.model.requests.at(-1)?.items);
    expect(history).toContain('90071992547409930');
    expect(history).not.toContain('90071992547409940');
  });

  test("returns an error to the model for a long number when the SDK had to repair the call's JSON", async () => {
    const { talk, sent } = await openWith({ method: 'POST', url: 'https://a.example/', parameters });
    const { tools } = await talk.say(
      'pay',
      { tools: [{ name: 'pay', arguments: '{account: 12345678901234567,}' }] },
      'Which number?',
    );
    expect(sent).toEqual([]);
    expect(tools).toEqual([
      expect.objectContaining({ isError: true, output: expect.stringContaining('too many digits') }),
    ]);
  });
});
