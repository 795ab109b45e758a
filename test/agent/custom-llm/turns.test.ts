/** Tests the protocol of a custom LLM server: requests, replies, and the end of the call. */
import { ask, CALL, CustomLlmRig, piecesOf, said, TOKEN } from '../support/custom-llm-rig';
import { type CustomLlmServer } from '../support/custom-llm-server';
import { llm } from '@livekit/agents';

const HELLO = [
  { interaction_type: 'config', anything: true },
  { interaction_type: 'greeting', content: 'Namaste from the server.' },
].map((message) => JSON.stringify(message));

let rig: CustomLlmRig;
let server: CustomLlmServer;
beforeEach(async () => {
  rig = await CustomLlmRig.open();
  server = rig.server;
});
afterEach(() => rig.close());

describe('the connection', () => {
  test('opens one connection per call before the first turn, with the call id and the token', async () => {
    await server.behave({ kind: 'take', hello: HELLO });
    const model = rig.customLlm();
    expect(await model.greeting(10_000)).toBe('Namaste from the server.');
    for (const n of [1, 2]) {
      const pieces = piecesOf(ask(model));
      await server.asked(n);
      await server.finish(n, 'Yes.');
      expect(await pieces).toEqual(['Yes.']);
    }
    expect(await server.attempts()).toEqual([{ path: `/llm/${CALL}`, authorization: `Bearer ${TOKEN}` }]);
  });

  test('sends no Authorization header without a token, and keeps the query of the address', async () => {
    await server.behave({ kind: 'take', hello: HELLO });
    await rig.customLlm({ authToken: null, url: `ws://${server.host}?tenant=7` }).greeting(10_000);
    expect(await server.attempts()).toEqual([{ path: `/${CALL}?tenant=7`, authorization: null }]);
  });

  test('closes the connection at the end of the call', async () => {
    await server.behave({ kind: 'take', hello: HELLO });
    const model = rig.customLlm();
    await model.greeting(10_000);
    await model.aclose();
    await server.until(() => server.closeCodes.length > 0);
    expect(server.closeCodes).toEqual([1000]);
  });
});

describe('the greeting', () => {
  test.each([
    ['none', []],
    ['an empty one', [JSON.stringify({ interaction_type: 'greeting', content: '' })]],
    ['one that is not a text', [JSON.stringify({ interaction_type: 'greeting', content: 7 })]],
  ])('returns no greeting when the server sends %s', async (_what, helloOf) => {
    await server.behave({ kind: 'take', hello: helloOf });
    expect(await rig.customLlm().greeting(100)).toBeNull();
  });

  test('returns no greeting, without waiting, when the server is unreachable', async () => {
    await server.close();
    expect(await rig.customLlm().greeting(600_000)).toBeNull();
  });
});

describe('a turn', () => {
  test("sends the whole conversation and the call's fields, with an increasing response id", async () => {
    const model = rig.customLlm();
    const first = piecesOf(ask(model));
    expect(await server.asked(1)).toEqual({
      interaction_type: 'response_required',
      response_id: 1,
      call_id: CALL,
      transcript: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hello?' },
      ],
      req_body: { x_agent_id: 'tenant-7', modify_agent: null, contact_number: '+919876543210', city: 'Pune' },
    });
    await server.finish(1, 'Yes.');
    await first;
    const conversation = said(
      ['developer', 'Be brief.'],
      ['user', 'Hello?'],
      ['assistant', 'Yes.'],
      ['user', 'So?'],
    );
    conversation.items.push(llm.FunctionCall.create({ callId: 'c', name: 'look', args: '{}' }));
    const second = piecesOf(ask(model, conversation));
    const { response_id, transcript } = await server.asked(2);
    expect(response_id).toBe(2);
    expect(transcript.map(({ role }: { role: string }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'user',
    ]);
    await server.finish(2);
    expect(await second).toEqual([]);
  });

  test('streams each piece of the answer before the next one arrives', async () => {
    const stream = ask(rig.customLlm());
    await server.asked(1);
    const pieces: unknown[] = [];
    for (const content of ['One', ' two', ' three.']) {
      await server.reply(1, content);
      pieces.push((await stream.next()).value.delta.content);
    }
    await server.finish(1);
    expect([pieces, (await stream.next()).done]).toEqual([['One', ' two', ' three.'], true]);
  });

  test('ignores replies with another response id or with the id of a completed turn', async () => {
    const model = rig.customLlm();
    const first = piecesOf(ask(model));
    await server.asked(1);
    for (const id of [0, 2, 99, -1]) await server.finish(id, 'stale', { end_call: true });
    await server.finish(1, 'right');
    expect(await first).toEqual(['right']);
    const second = piecesOf(ask(model));
    await server.asked(2);
    await server.reply(1, 'late', { content_complete: true, end_call: true });
    await server.finish(2, 'second');
    expect(await second).toEqual(['second']);
    expect(rig.endings).not.toHaveBeenCalled();
  });

  test('ends a turn without an error and keeps its pieces when a newer turn replaces it', async () => {
    const model = rig.customLlm();
    const failures = jest.fn();
    model.on('error', failures);
    const first = ask(model);
    await server.asked(1);
    await server.reply(1, 'I was');
    const begun = (await first.next()).value.delta.content;
    const second = piecesOf(ask(model, said(['user', 'Stop, another question.'])));
    await server.asked(2);
    await server.reply(1, ' saying', { content_complete: true, end_call: true });
    await server.finish(2, 'Yes?');
    expect([begun, await piecesOf(first), await second]).toEqual(['I was', [], ['Yes?']]);
    expect([failures.mock.calls, rig.endings.mock.calls]).toEqual([[], []]);
  });

  test('stops reading an interrupted turn, and does not end the call', async () => {
    const model = rig.customLlm();
    const stream = ask(model);
    await server.asked(1);
    await server.reply(1, 'Good');
    await stream.next();
    stream.close();
    await server.finish(1, 'bye', { end_call: true });
    const next = piecesOf(ask(model));
    await server.asked(2);
    await server.finish(2, 'Still here.');
    expect(await next).toEqual(['Still here.']);
    expect(rig.endings).not.toHaveBeenCalled();
  });

  test('ends the call with the last piece of a turn, not earlier', async () => {
    const stream = ask(rig.customLlm());
    await server.asked(1);
    await server.reply(1, 'Good', { end_call: true });
    await stream.next();
    expect(rig.endings).not.toHaveBeenCalled();
    await server.finish(1, 'bye.');
    expect(await piecesOf(stream)).toEqual(['bye.']);
    expect(rig.endings).toHaveBeenCalledTimes(1);
  });

  test('echoes ping_pong messages and continues', async () => {
    const model = rig.customLlm();
    const pieces = piecesOf(ask(model));
    await server.asked(1);
    const ping = { response_type: 'ping_pong', timestamp: 1_763_800_000_123, note: 'ü' };
    await server.say(ping);
    expect(await server.nth(1, (one) => one.response_type === 'ping_pong')).toEqual(ping);
    await server.finish(1, 'Yes.');
    expect(await pieces).toEqual(['Yes.']);
  });

  test('ignores messages that the protocol does not define', async () => {
    const pieces = piecesOf(ask(rig.customLlm()));
    await server.asked(1);
    const garbage = [
      '',
      'no json',
      '[]',
      'null',
      '7',
      '{"response_type":"response"}',
      '{"response_type":9}',
      '{"__proto__":{}}',
    ];
    for (const text of garbage) await server.say(text);
    for (const wrong of [{ response_id: '1' }, { response_id: 1.5 }, { content: 7 }, { content: ['x'] }])
      await server.finish(1, 'wrong', wrong);
    await server.sayBinary(JSON.stringify({ response_type: 'response', response_id: 1, content: 'binary' }));
    await server.reply(1, 'right', { content_complete: 'true', end_call: 1, extra: { deep: [] } });
    await server.say({ response_type: 'response', response_id: 1, content_complete: true });
    expect(await pieces).toEqual(['right']);
    expect(rig.endings).not.toHaveBeenCalled();
  });

  test('ends a turn at the size limit when the server never completes it', async () => {
    const pieces = piecesOf(ask(rig.customLlm()));
    await server.asked(1);
    for (let n = 0; n < 5; n += 1) await server.reply(1, 'x'.repeat(5_000));
    expect((await pieces).join('')).toHaveLength(25_000);
  });
});
