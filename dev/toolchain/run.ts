import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { errorCode } from '../../db/kernel/error-code';
import { errorText } from '../error-text';

type RunOptions = {
  command: string;
  args: string[];
  timeoutMs: number;
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  user?: { uid: number; gid: number };
  /** Called with each line of standard output as it arrives. */
  onLine?: (line: string) => void;
};

/** `code` is null if a signal ended the command, for example because of the time limit. */
export type RunResult = { code: number | null; output: string; timedOut: boolean };

const KEPT_CHARACTERS = 16_384;

/**
 * Runs a command to its end and keeps the last part of its output. On timeout, kills the command and everything it started. Rejects only if
 * the command can't be started.
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
    // The terminal's Ctrl-C doesn't reach a separate process group, so the group is killed when this process exits.
    process.once('exit', killGroup);
    const cleanUp = () => {
      clearTimeout(timer);
      process.removeListener('exit', killGroup);
    };
    child.once('error', (error) => {
      cleanUp();
      reject(error);
    });
    child.once('close', (code) => {
      cleanUp();
      resolve({ code, output, timedOut });
    });
  });
}

/** Signals a process group. A group that has already ended isn't an error (macOS reports EPERM for it). */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    const code = errorCode(error);
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}

/** Returns the last lines of the output, for an error message. */
export function lastLines(output: string, count = 12): string {
  return output.trimEnd().split('\n').slice(-count).join('\n');
}

/** Like `run`, but rejects if the command isn't installed or fails. The error contains the last lines of output. */
export async function runOrFail(options: RunOptions): Promise<string> {
  const result = await run(options).catch((cause: unknown) => {
    throw new Error(missingCommand(cause, options.command) ?? errorText(cause), { cause });
  });
  if (result.code === 0) return result.output;
  const why = result.timedOut
    ? `did not finish within ${Math.round(options.timeoutMs / 1000)} s`
    : `exited with status ${result.code}`;
  throw new Error(`${options.command} ${options.args[0] ?? ''} ${why}:\n${lastLines(result.output)}`);
}

/** Returns a readable reason if the command isn't installed, or null for any other error. */
export function missingCommand(error: unknown, command: string): string | null {
  return errorCode(error) === 'ENOENT' ? `${command} is not installed` : null;
}
