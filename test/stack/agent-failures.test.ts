/**
 * Tests what the built agent processes print after an uncaught error. They must not print its message, which here contains a phone number
 * and a caller's words.
 */
import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { repositoryRoot } from '../../dev/stack/repository';
import { temporaryFolder } from '../dev/temporary-folder';

const AGENT = join(repositoryRoot(), 'agent/dist/agent');
const NUMBER = '+919876543210';
const THROW = `throw new TypeError('${NUMBER} said: my pin is 4711')`;
const ENVIRONMENT = {
  PATH: process.env.PATH,
  API_URL: 'http://127.0.0.1:9',
  AGENT_SECRET: 'a-secret-of-the-agents',
  LIVEKIT_AGENT_NAME: 'voice-agent',
  LIVEKIT_URL: 'ws://127.0.0.1:9',
  LIVEKIT_API_KEY: 'key',
  LIVEKIT_API_SECRET: 'secret-of-livekit-for-one-test-only',
};

interface Ended {
  code: unknown;
  out: string;
  err: string;
}

/** Returns the exit code and all output. */
async function endOf(child: ChildProcess): Promise<Ended> {
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new Error('the process has no output');
  const [[code], out, err] = await Promise.all([once(child, 'close'), text(stdout), text(stderr)]);
  return { code, out, err };
}

/** The SDK's processes may also log that the worker has gone. */
function expectFailure({ code, out, err }: Ended): void {
  const lines = out
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
  expect({ code, lines }).toEqual({
    code: 1,
    lines: expect.arrayContaining([expect.objectContaining(FAILED)]),
  });
  expect(out + err).not.toMatch(/9876543210|4711/);
}

const FAILED = {
  level: 60,
  process: 'agent',
  error: 'TypeError',
  frames: expect.arrayContaining([expect.stringMatching(/^ +at /)]),
  msg: 'the process failed',
};

test('logs where the agent worker failed, without the error message, and exits with status 1', async () => {
  const preload = join(temporaryFolder(), 'preload.js');
  writeFileSync(preload, `process.on('message', (message) => { if (message === 'fail') ${THROW} });`);
  const child = fork(join(AGENT, 'main.js'), {
    execArgv: ['--require', preload],
    env: ENVIRONMENT,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  child.stdout?.on('data', (lines: Buffer) => {
    if (lines.includes('agent started') && child.connected) child.send('fail');
  });
  expectFailure(await endOf(child));
});

test.each([
  ['a thrown error', `setImmediate(() => { ${THROW}; });`],
  ['an unhandled rejection', `void (async () => { ${THROW}; })();`],
])(
  'logs where the process of a conversation failed, without the error message, after %s',
  async (_what, failure) => {
    const script = `require(${JSON.stringify(join(AGENT, 'job/main.js'))}); ${failure}`;
    const child = spawn(process.execPath, ['-e', script], {
      env: ENVIRONMENT,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    expectFailure(await endOf(child));
  },
);

test('stops a worker that is waiting for an unreachable API', async () => {
  const { LIVEKIT_AGENT_NAME: _name, ...environment } = ENVIRONMENT;
  const child = fork(join(AGENT, 'main.js'), {
    env: { ...environment, AGENT_HEALTH_PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  child.stdout?.on('data', (lines: Buffer) => {
    if (lines.includes('health served')) child.kill('SIGTERM');
  });
  expect(await endOf(child)).toMatchObject({ code: 0 });
});

test('names the missing setting if the agent worker cannot start', async () => {
  const { code, err } = await endOf(
    spawn(process.execPath, [join(AGENT, 'main.js')], { env: {}, stdio: ['ignore', 'pipe', 'pipe'] }),
  );
  expect(code).toBe(1);
  expect(err).toContain('AGENT_SECRET');
});
