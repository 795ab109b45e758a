import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { errorCode } from '../../db/kernel/error-code';
import { errorText } from '../error-text';
import { missingCommand } from './missing-command';

export type RunOptions = {
  command: string;
  args: string[];
  timeoutMs: number;
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  user?: { uid: number; gid: number };
  /** Called with each line of standard output as it comes. */
  onLine?: (line: string) => void;
};

/** `code` is null when the command was ended by a signal, the time limit included. */
export type RunResult = { code: number | null; output: string; timedOut: boolean };

const KEPT_CHARACTERS = 16_384;

/**
 * Runs a command to its end and keeps the last part of what it printed. A command that overruns its time is
 * killed with everything it started. Rejects only when the command cannot be started at all.
 */
export function run(options: RunOptions): Promise<RunResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(options.command, options.args, {
      env: options.env,
      cwd: options.cwd,
      ...options.user,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    let timedOut = false;
    const keep = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-KEPT_CHARACTERS);
    };
    child.stdout.on('data', keep);
    if (options.onLine !== undefined) createInterface(child.stdout).on('line', options.onLine);
    child.stderr.on('data', keep);
    const killGroup = () => {
      if (child.pid !== undefined) signalGroup(child.pid, 'SIGKILL');
    };
    const timer = setTimeout(() => {
      timedOut = true;
      killGroup();
    }, options.timeoutMs);
    // A group of its own does not get the terminal's Ctrl-C, so it must not outlive us either.
    process.once('exit', killGroup);
    const settle = () => {
      clearTimeout(timer);
      process.removeListener('exit', killGroup);
    };
    child.once('error', (error) => {
      settle();
      reject(error);
    });
    child.once('close', (code) => {
      settle();
      resolve({ code, output, timedOut });
    });
  });
}

/** Signals a process and all of its group; one that has gone already is no error (EPERM is macOS' word for it). */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    const code = errorCode(error);
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}

/** The last lines of an output, for an error message. */
export function lastLines(output: string, count = 12): string {
  return output.trimEnd().split('\n').slice(-count).join('\n');
}

/** Like `run`, but rejects if the command isn't installed or fails, then with the last lines of its output. */
export async function runOrFail(options: RunOptions): Promise<string> {
  const result = await run(options).catch((cause: unknown) => {
    throw new Error(missingCommand(cause, options.command) ?? errorText(cause), { cause });
  });
  if (result.code === 0) return result.output;
  const why = result.timedOut
    ? `did not end within ${Math.round(options.timeoutMs / 1000)} s`
    : `ended with status ${result.code}`;
  throw new Error(`${options.command} ${options.args[0] ?? ''} ${why}:\n${lastLines(result.output)}`);
}
