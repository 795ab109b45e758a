/** Runs Jest with a list of suites in a copy of the project. */
import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

interface JestOrder {
  copy: string;
  /** Folder for Jest's cache and report. */
  folder: string;
  suites: readonly string[];
  /** Null if there is no limit. */
  limitMs: number | null;
  testLimitMs: number;
  /** Aborting this stops Jest immediately. */
  signal: AbortSignal;
}

export interface SuiteResult {
  suite: string;
  ms: number;
  /** Number of tests that ran. */
  passed: number;
  longestTestMs: number;
  /** The first failed test, or the first line of the error if the suite could not run. */
  failure: string | null;
  /** Jest's output about failures. */
  message: string | null;
}

/** A test may set a longer timeout. The mutant's limit still applies. */
const MAX_TEST_MS = 300_000;

/** Returns the results of the suites that ran, up to the first failure. Returns null if the limit was reached. */
export async function runJest(order: JestOrder): Promise<SuiteResult[] | null> {
  const { folder, suites, testLimitMs } = order;
  const reportFile = join(folder, 'jest-report.jsonl');
  await writeFile(reportFile, '');
  const output = await ended(order, {
    MUTANT_SUITES: JSON.stringify(suites),
    MUTANT_TEST_LIMIT_MS: String(Math.min(testLimitMs, MAX_TEST_MS)),
    MUTANT_CACHE: join(folder, 'jest-cache'),
    MUTANT_REPORT: reportFile,
  });
  if (output === null) return null;
  const lines = (await readFile(reportFile, 'utf8')).split('\n').filter((line) => line !== '');
  const results = lines.map((line) => JSON.parse(line) as SuiteResult);
  const suite = suites[results.length];
  if (suite === undefined || results.some(({ failure }) => failure !== null)) return results;
  const failure = 'the process of the tests came to an end';
  return [...results, { suite, ms: 0, passed: 0, longestTestMs: 0, failure, message: output.slice(-2_000) }];
}

/** Returns Jest's output, or null if the limit was reached. Watchdogs stop the servers that its tests started. */
function ended(
  { copy, suites, limitMs, signal }: JestOrder,
  env: Record<string, string>,
): Promise<string | null> {
  const jest = join('node_modules', 'jest', 'bin', 'jest.js');
  const options = ['--config', 'verify/mutants/jest.config.js', '--runInBand', '--forceExit', '--silent'];
  const child = spawn(process.execPath, [jest, ...options, '--runTestsByPath', ...suites], {
    cwd: copy,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
    signal,
    killSignal: 'SIGKILL',
  });
  let output = '';
  child.stderr.on('data', (data: Buffer) => (output = (output + data.toString()).slice(-20_000)));
  let isLate = false;
  const timer = limitMs === null ? undefined : setTimeout(() => (isLate = child.kill('SIGKILL')), limitMs);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, killedBy) => {
      clearTimeout(timer);
      resolve(isLate ? null : `${output}\nstatus ${code ?? killedBy}`);
    });
  });
}
