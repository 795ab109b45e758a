import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { limitJobMemory, VanishedJobs, type ActiveJob } from '../../../agent/worker/job-processes';

/** The file that `npm test` builds. */
const PRELOADED = join(__dirname, '../../../agent/dist/agent/job/without-pictures.js');

const folder = mkdtempSync(join(tmpdir(), 'job-memory-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Forks a program like a conversation's process, and returns the message that it sends. */
async function reportOf<Report>(source: string): Promise<Report> {
  const forking = { execArgv: [], env: { PATH: process.env.PATH } };
  limitJobMemory(forking, PRELOADED);
  const program = join(folder, 'job.js');
  writeFileSync(program, source);
  const job = fork(program, [], forking);
  const [report] = (await once(job, 'message')) as [Report];
  job.disconnect();
  return report;
}

test('limits the memory for short-lived objects and the number of malloc arenas of a forked process', async () => {
  const report = await reportOf<{ space_size: number; arenas: string }>(
    `const kept = [];
     for (let nth = 0; nth < 2e6; nth += 1) kept[nth % 3e5] = [nth];
     const { space_size } = require('v8').getHeapSpaceStatistics().find((one) => one.space_name === 'new_space');
     process.send({ space_size, arenas: process.env.MALLOC_ARENA_MAX });`,
  );
  expect(report.space_size).toBeLessThanOrEqual(4 * 2 ** 20);
  expect(report.arenas).toBe('2');
});

test('loads the SDK without its image library until an image is created', async () => {
  const report = await reportOf<{ before: boolean; after: boolean; length: number }>(
    `const { createRequire } = require('module');
     const sdk = createRequire(createRequire(${JSON.stringify(PRELOADED)}).resolve('@livekit/agents'));
     sdk('@livekit/agents');
     const isLoaded = () => Object.keys(require.cache).some((path) => /sharp.*[.]node$/.test(path));
     const before = isLoaded();
     const dot = { create: { width: 1, height: 1, channels: 3, background: 'red' } };
     sdk('sharp')(dot).png().toBuffer().then(({ length }) => process.send({ before, after: isLoaded(), length }));`,
  );
  expect(report).toEqual({ before: false, after: true, length: expect.any(Number) });
  expect(report.length).toBeGreaterThan(0);
});

test.each([
  [['--max-semi-space-size=8'], {}],
  [[], { NODE_OPTIONS: '--max-semi-space-size=8' }],
])('keeps the values set by the operator: %j %j', (execArgv, set) => {
  const forking = { execArgv: [...execArgv], env: { ...set, MALLOC_ARENA_MAX: '8' } };
  limitJobMemory(forking, PRELOADED);
  expect(forking).toEqual({
    execArgv: [...execArgv, '--require', PRELOADED],
    env: { ...set, MALLOC_ARENA_MAX: '8' },
  });
});

const job = (id: string): ActiveJob => ({ jobId: id, roomName: `room-${id}`, identity: `agent-${id}` });
const warn = jest.fn();
const LOG = { debug: () => undefined, info: () => undefined, warn, error: () => undefined };

let held: ActiveJob[];
let putOut: string[];
let jobs: VanishedJobs;

beforeEach(() => {
  held = [];
  putOut = [];
  warn.mockClear();
  jobs = new VanishedJobs(
    () => held,
    ({ identity }) => {
      putOut.push(identity);
      return identity === 'agent-fails' ? Promise.reject(new Error('room-fails')) : Promise.resolve();
    },
    LOG,
  );
});
afterEach(() => jobs.stop());

test('removes an agent from its room a single time after its process has ended, and leaves running agents alone', () => {
  held = [job('a'), job('b')];
  jobs.check();
  expect(putOut).toEqual([]);
  held = [job('b')];
  jobs.check();
  jobs.check();
  expect(putOut).toEqual(['agent-a']);
});

test("logs the job id, but not the room, of an agent that can't be removed", async () => {
  held = [job('fails')];
  jobs.check();
  held = [];
  jobs.check();
  await new Promise((resolve) => setImmediate(resolve));
  expect(warn.mock.calls).toEqual([[{ job: 'fails', error: 'Error' }, 'an agent may still be in its room']]);
});
