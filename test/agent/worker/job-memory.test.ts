import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { limitJobMemory } from '../../../agent/worker/job-memory';

const folder = mkdtempSync(join(tmpdir(), 'job-memory-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('a process that is forked has little room for its youngest objects, and few arenas', async () => {
  const forking = { execArgv: [], env: { PATH: process.env.PATH } };
  limitJobMemory(forking);
  const program = join(folder, 'job.js');
  writeFileSync(
    program,
    `const kept = [];
     for (let nth = 0; nth < 2e6; nth += 1) kept[nth % 3e5] = [nth];
     const { space_size } = require('v8').getHeapSpaceStatistics().find((one) => one.space_name === 'new_space');
     process.send({ space_size, arenas: process.env.MALLOC_ARENA_MAX });`,
  );
  const job = fork(program, [], forking);
  const [report] = (await once(job, 'message')) as [{ space_size: number; arenas: string }];
  job.disconnect();
  expect(report.space_size).toBeLessThanOrEqual(4 * 2 ** 20);
  expect(report.arenas).toBe('2');
});

test.each([
  [['--max-semi-space-size=8'], {}],
  [[], { NODE_OPTIONS: '--max-semi-space-size=8' }],
])('what the operator has set stays: %j %j', (execArgv, set) => {
  const forking = { execArgv: [...execArgv], env: { ...set, MALLOC_ARENA_MAX: '8' } };
  limitJobMemory(forking);
  expect(forking).toEqual({ execArgv, env: { ...set, MALLOC_ARENA_MAX: '8' } });
});
