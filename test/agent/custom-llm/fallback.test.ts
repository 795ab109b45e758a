/** Tests failures of a custom LLM server. */
import type { CustomLlm } from '../../../agent/custom-llm/custom-llm';
import { createGuard } from '../../../agent/network/guarded-agent';
import { ask, CustomLlmRig, hello, NO_RETRY, piecesOf } from '../support/custom-llm-rig';
import { CustomLlmServer } from '../support/custom-llm-server';

let rig: CustomLlmRig;
let server: CustomLlmServer;
beforeEach(async () => {
  rig = await CustomLlmRig.open();
  server = rig.server;
});
afterEach(() => rig.close());

describe('the fallback model of a custom LLM server', () => {
  test("answers when the server's first token is late, and sends the server the next turn but no recovery request", async () => {
    const model = rig.withFallback({ firstTokenWithinMs: 3_000 });
    expect(await piecesOf(ask(model))).toEqual(['other 1']);
    expect(await piecesOf(ask(model))).toEqual(['other 2']);
    const isBack = new Promise((resolve) => model.on('llm_availability_changed' as any, resolve));
    await server.reply(1, 'much too late', { content_complete: true, end_call: true });
    await isBack;
    const pieces = piecesOf(ask(model));
    await server.asked(2);
    await server.finish(2, 'in time');
    expect(await pieces).toEqual(['in time']);
    expect((await server.received()).map(({ response_id }) => response_id)).toEqual([1, 2]);
    expect(rig.endings).not.toHaveBeenCalled();
  });

  test('answers when only an empty piece arrives in time', async () => {
    await server.behave({ kind: 'take', hello: ['{"interaction_type":"greeting","content":"Hello."}'] });
    const model = rig.withFallback({ firstTokenWithinMs: 300 });
    // Connect first, because a request that also has to connect would time out after 300 ms.
    await (model.llms[0] as CustomLlm).greeting(10_000);
    const pieces = piecesOf(ask(model));
    await server.asked(1);
    await server.reply(1, '');
    expect(await pieces).toEqual(['other 1']);
  });

  test('answers when the connection is lost; later turns use a new connection and continue the response ids', async () => {
    const model = rig.withFallback();
    const pieces = piecesOf(ask(model));
    await server.asked(1);
    const isBack = new Promise<void>((resolve) =>
      model.on('llm_availability_changed' as any, ({ available }: any) => available && resolve()),
    );
    await server.cut();
    expect(await pieces).toEqual(['other 1']);
    await isBack;
    const next = piecesOf(ask(model));
    expect((await server.asked(2)).response_id).toBe(2);
    await server.finish(2, 'back again');
    expect(await next).toEqual(['back again']);
    expect(await server.attempts()).toHaveLength(2);
  });

  test('completes the answer when the server process dies in the middle of it', async () => {
    const model = rig.withFallback();
    const stream = ask(model, hello(), { ...NO_RETRY, maxRetry: 1 });
    await server.asked(1);
    await server.reply(1, 'Let me');
    const begun = (await stream.next()).value?.delta?.content;
    await server.close();
    expect([begun, await piecesOf(stream)]).toEqual(['Let me', ['other 1']]);
  });

  test('does not answer when an immediate reconnect succeeds', async () => {
    const model = rig.withFallback();
    const stream = ask(model, hello(), { ...NO_RETRY, maxRetry: 1 });
    await server.asked(1);
    await server.reply(1, 'Let me');
    const begun = (await stream.next()).value?.delta?.content;
    await server.cut();
    const { response_id, transcript } = await server.asked(2);
    await server.finish(2, 'Let me see.');
    expect([begun, await piecesOf(stream)]).toEqual(['Let me', ['Let me see.']]);
    expect([response_id, transcript.at(-1)]).toEqual([2, { role: 'user', content: 'Hello?' }]);
  });

  test.each([
    ['refuses the token', { kind: 'answer', status: 401 }],
    ['is down', { kind: 'answer', status: 503 }],
    ['is no such server', { kind: 'answer', status: 200 }],
    ['never answers', { kind: 'silent' }],
  ] as const)('answers when the server %s', async (_what, manner) => {
    await server.behave(manner);
    const model = rig.withFallback({ firstTokenWithinMs: 300 });
    expect(await piecesOf(ask(model))).toEqual(['other 1']);
    expect(await server.received()).toEqual([]);
  });

  test('answers when the server redirects, and does not follow the redirect', async () => {
    const other = await CustomLlmServer.open();
    try {
      await server.behave({ kind: 'answer', status: 302, location: `ws://${other.host}/` });
      const guard = createGuard({ allowedHosts: [server.host, other.host] });
      expect(await piecesOf(ask(rig.withFallback({ guard })))).toEqual(['other 1']);
      expect(await other.attempts()).toEqual([]);
    } finally {
      await other.close();
    }
  });

  test('answers when a message exceeds the size limit', async () => {
    const model = rig.withFallback();
    const pieces = piecesOf(ask(model));
    await server.asked(1);
    await server.reply(1, 'x'.repeat(300_000));
    expect(await pieces).toEqual(['other 1']);
    await server.until(() => server.closeCodes.length > 0);
    expect(server.closeCodes).toEqual([1009]);
  });

  test('answers when the server process dies', async () => {
    const pieces = piecesOf(ask(rig.withFallback()));
    await server.asked(1);
    await server.close();
    expect(await pieces).toEqual(['other 1']);
  });
});

describe('a custom LLM server without a fallback', () => {
  test('sends the same turn under a new response id after a lost connection', async () => {
    const model = rig.customLlm();
    const pieces = piecesOf(ask(model, hello(), { ...NO_RETRY, maxRetry: 2 }));
    await server.asked(1);
    await server.cut();
    expect((await server.asked(2)).response_id).toBe(2);
    await server.finish(2, 'Here.');
    expect(await pieces).toEqual(['Here.']);
  });

  test('sends no request after the call is over', async () => {
    const model = rig.customLlm();
    const failures: unknown[] = [];
    model.on('error', ({ error }) => failures.push(error));
    const pieces = piecesOf(ask(model));
    await server.asked(1);
    await model.aclose();
    expect(await pieces).toEqual([]);
    expect(await piecesOf(ask(model))).toEqual([]);
    expect(failures).toEqual([
      expect.objectContaining({ message: 'the call is over', retryable: false }),
      expect.objectContaining({ message: 'the call is over', retryable: false }),
    ]);
    expect(await server.attempts()).toHaveLength(1);
  });
});
