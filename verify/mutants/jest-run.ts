/** Jest over a list of suites, in a copy of the project. */
import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface JestOrder {
  copy: string;
  /** For what Jest keeps, and what it reports. */
  folder: string;
  suites: readonly string[];
  /** Null: it may take as long as it takes. */
  limitMs: number | null;
  testLimitMs: number;
  /** Ends it at once. */
  signal: AbortSignal;
}

export interface SuiteResult {
  suite: string;
  ms: number;
  /** Of tests that ran. */
  passed: number;
  longestTestMs: number;
  /** The first test that failed; for a suite that could not be run the first line of why. */
  failure: string | null;
  /** What Jest prints of its failures. */
  message: string | null;
}

/** A test that says so itself may take longer; the mutant's own limit holds for it. */
const MOST_TEST_MS = 300_000;

/** What came of the suites that were run: none after one that failed. Null: it was stopped at its limit. */
export async function runJest(order: JestOrder): Promise<SuiteResult[] | null> {
  const { folder, suites, testLimitMs } = order;
  const reportFile = join(folder, 'jest-report.jsonl');
  await writeFile(reportFile, '');
  const output = await ended(order, {
    MUTANT_SUITES: JSON.stringify(suites),
    MUTANT_TEST_LIMIT_MS: String(Math.min(testLimitMs, MOST_TEST_MS)),
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

/** What it printed; null where it was stopped at the limit. Servers that its tests started end with it, by their watchdogs. */
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
