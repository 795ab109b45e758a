/** Runs the server that docs/custom-llm.md links to, unchanged. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createGuard } from '../../../agent/network/guarded-agent';
import { ask, CustomLlmRig, piecesOf, said } from '../support/custom-llm-rig';

const root = join(__dirname, '..', '..', '..');
const page = readFileSync(join(root, 'docs', 'custom-llm.md'), 'utf8');
const source = readFileSync(join(root, 'docs', 'custom-llm-server.js'), 'utf8');

let server: ChildProcess;
let port: string;
let rig: CustomLlmRig;

beforeEach(async () => {
  rig = await CustomLlmRig.open();
  server = spawn(process.execPath, ['-'], {
    cwd: root,
    env: { ...process.env, PORT: '0', TOKEN: 'a secret of yours' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  server.stdin?.end(source);
  const [line] = await once(server.stdout!, 'data');
  port = /\d+/.exec(String(line))?.[0] ?? '';
});
afterEach(async () => {
  await rig.close();
  server.kill('SIGKILL');
});

const talkingTo = (authToken: string) =>
  rig.customLlm({
    url: `ws://localhost:${port}`,
    authToken,
    guard: createGuard({ allowedHosts: ['localhost'] }),
  });

test('gets a greeting, an answer and a goodbye from the documented server', async () => {
  const model = talkingTo('a secret of yours');
  expect(await model.greeting(10_000)).toBe('Hello, this is your own server.');
  expect((await piecesOf(ask(model, said(['user', 'Friday?'])))).join('')).toBe('You said: Friday?');
  expect(rig.endings).not.toHaveBeenCalled();
  expect((await piecesOf(ask(model, said(['user', 'Bye then.'])))).join('')).toBe('Goodbye.');
  expect(rig.endings).toHaveBeenCalledTimes(1);
});

test('gets no answer from the documented server with a wrong token', async () => {
  expect(await piecesOf(ask(talkingTo('another')))).toEqual([]);
});

test('documents only protocol messages in docs/custom-llm.md', () => {
  const shown = [...page.matchAll(/```json\n(.*?)```/gs)].map(([, block = '']) => block);
  expect(shown).toHaveLength(3);
  const lines = [shown[0], shown[2]].flatMap((block = '') => block.trim().split('\n'));
  expect(lines.map((line) => Object.keys(JSON.parse(line))[0])).toEqual([
    'interaction_type',
    'interaction_type',
    'response_type',
    'response_type',
  ]);
  expect(Object.keys(JSON.parse(shown[1] ?? ''))).toEqual([
    'interaction_type',
    'response_id',
    'call_id',
    'transcript',
    'req_body',
  ]);
});
