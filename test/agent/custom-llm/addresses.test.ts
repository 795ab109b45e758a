/** Tests which addresses a custom LLM server can have, and what the log can contain about it. */
import { createGuard } from '../../../agent/network/guarded-agent';
import { ask, CALL, CustomLlmRig, piecesOf, TOKEN } from '../support/custom-llm-rig';
import { type CustomLlmServer } from '../support/custom-llm-server';

let rig: CustomLlmRig;
let server: CustomLlmServer;
beforeEach(async () => {
  rig = await CustomLlmRig.open();
  server = rig.server;
});
afterEach(() => rig.close());

describe('a custom LLM server at a private address', () => {
  const guard = createGuard({
    allowedHosts: [],
    resolve: (name) => Promise.resolve(name === 'inner.example' ? ['93.184.216.34', '127.0.0.1'] : []),
  });

  test.each([
    ['ws://127.0.0.1:PORT', 'ws is only allowed for hosts in AGENT_ALLOWED_HOSTS'],
    ['wss://127.0.0.1:PORT', 'the address is private'],
    ['wss://localhost:PORT', 'the address is private'],
    ['wss://127.1:PORT', 'the address is private'],
    ['wss://0x7f000001:PORT', 'the address is private'],
    ['wss://2130706433:PORT', 'the address is private'],
    ['wss://①②⑦.0.0.1:PORT', 'the address is private'],
    ['wss://[::1]:PORT', 'the address is private'],
    ['wss://[::ffff:127.0.0.1]:PORT', 'the address is private'],
    ['wss://[64:ff9b::169.254.169.254]:PORT', 'the address is private'],
    ['wss://169.254.169.254:PORT', 'the address is private'],
    ['wss://inner.example:PORT', 'the address is private'],
    ['wss://93.184.216.34:25', 'the port is reserved for another protocol'],
    ['wss://user:password@server.example', 'the address must not contain a user name'],
    ['https://127.0.0.1:PORT', 'the address must use wss'],
    ['file:///etc/passwd', 'the address must use wss'],
    ['nowhere', 'the URL is invalid'],
  ])('rejects %s: %s', async (url, message) => {
    const model = rig.customLlm({ guard, url: url.replace('PORT', String(server.port)) });
    const failures: unknown[] = [];
    model.on('error', ({ error }) => failures.push(error));
    expect(await model.greeting(600_000)).toBeNull();
    expect(await piecesOf(ask(model))).toEqual([]);
    expect(failures).toEqual([expect.objectContaining({ message, retryable: false })]);
    expect(await server.attempts()).toEqual([]);
  });
});

test('keeps the token, the address and the conversation out of log lines and errors', async () => {
  const failures: unknown[] = [];
  const model = rig.customLlm();
  model.on('error', ({ error }) => failures.push({ ...error, message: error.message }));
  const pieces = piecesOf(ask(model));
  await server.asked(1);
  await server.say('secret garbage');
  await server.cut();
  await pieces;
  const text = JSON.stringify([rig.lines, failures]);
  expect([rig.lines.length, failures.length]).toEqual([1, 1]);
  for (const secret of [TOKEN, server.host, 'secret garbage', 'Be brief', CALL, '98765'])
    expect(text).not.toContain(secret);
});
