/** Runs the `docker` command. */
import { run, runOrFail, type RunResult } from '../../dev/toolchain/run';

const SOON_MS = 120_000;

export interface DockerOptions {
  timeoutMs?: number;
  cwd?: string;
  environment?: NodeJS.ProcessEnv;
}

export class Docker {
  constructor(readonly environment: NodeJS.ProcessEnv) {}

  /** Returns the last part of standard output and standard error. @throws Error with the last lines if the status isn't 0 */
  output(args: readonly string[], options: DockerOptions = {}): Promise<string> {
    return runOrFail(this.optionsFor(args, options));
  }

  /** Like `output`, but also returns the status and doesn't throw if it isn't 0. */
  attempt(args: readonly string[], options: DockerOptions = {}): Promise<RunResult> {
    return run(this.optionsFor(args, options));
  }

  /** Returns the non-empty lines of standard output. */
  async lines(args: readonly string[], options: DockerOptions = {}): Promise<string[]> {
    const lines: string[] = [];
    await runOrFail({ ...this.optionsFor(args, options), onLine: (line) => lines.push(line) });
    return lines.filter((line) => line.trim() !== '');
  }

  async imageExists(name: string): Promise<boolean> {
    return (await this.attempt(['image', 'inspect', name])).code === 0;
  }

  /** Returns the size in bytes. */
  async imageSize(name: string): Promise<number> {
    const [size] = await this.lines(['image', 'inspect', '--format', '{{.Size}}', name]);
    return Number(size);
  }

  private optionsFor(args: readonly string[], { timeoutMs = SOON_MS, cwd, environment }: DockerOptions) {
    const env = { ...this.environment, ...environment };
    return { command: 'docker', args: [...args], timeoutMs, env, ...(cwd !== undefined && { cwd }) };
  }
}
