/** Runs the Compose deployment of a copy of this checkout, under a separate project name. */
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryRoot } from '../../dev/stack/repository';
import { lastLines, runOrFail, type RunResult } from '../../dev/toolchain/run';
import type { Docker, DockerOptions } from './docker';
import { pinnedImages, proxies, withoutDigests } from './images/stand-ins';

const PROJECT = 'compose-test';
export const FIRST_VERSION = 'compose-test-1';
export const SECOND_VERSION = 'compose-test-2';
/** Services that keep running. */
export const SERVICES = [
  ...['postgres', 'temporal', 'temporal-ui', 'redis', 'livekit', 'sip'],
  ...['worker', 'api', 'agent'],
] as const;
export const JOBS = ['temporal-schema', 'temporal-visibility', 'temporal-namespace', 'migrate'] as const;

const OVERRIDE = 'compose.test.yml';
/** Packages, results and data are not part of a checkout. */
const LEFT_OUT = /(?:^|\/)(?:node_modules|dist|coverage|\.git|\.data|\.env)$/;
const BUILT_WITHIN_MS = 20 * 60_000;
const DUMPED_WITHIN_MS = 2 * 60_000;
const UP_WITHIN_MS = 6 * 60_000;

interface DeploymentOptions {
  docker: Docker;
  /** An empty folder for the copy. */
  folder: string;
  /** True if images come from their registry by digest, false if they are local stand-ins without a digest. */
  hasRealImages: boolean;
  hasBridge: boolean;
}

export class Deployment {
  private constructor(private readonly options: DeploymentOptions) {}

  static async copy(options: DeploymentOptions): Promise<Deployment> {
    const root = repositoryRoot();
    const { folder, hasRealImages } = options;
    await cp(root, folder, {
      recursive: true,
      filter: (source) => !LEFT_OUT.test(source.slice(root.length)),
    });
    for (const file of hasRealImages ? [] : await pinnedFiles(root))
      await edit(join(folder, file), withoutDigests);
    await writeFile(join(folder, OVERRIDE), overrideOf(options));
    return new Deployment(options);
  }

  get docker(): Docker {
    return this.options.docker;
  }

  get folder(): string {
    return this.options.folder;
  }

  /** Runs `docker compose` in the folder. Returns its standard output and standard error. */
  compose(args: readonly string[], options: DockerOptions = {}): Promise<string> {
    return this.docker.output(this.argumentsFor(args), {
      timeoutMs: UP_WITHIN_MS,
      cwd: this.folder,
      ...options,
    });
  }

  attempt(args: readonly string[], options: DockerOptions = {}): Promise<RunResult> {
    return this.docker.attempt(this.argumentsFor(args), { cwd: this.folder, ...options });
  }

  /** Runs a shell command line in the folder, for commands with redirections. */
  async shell(commandLine: string): Promise<void> {
    const args = ['-c', ['docker', ...this.argumentsFor([]), commandLine].join(' ')];
    const { environment: env } = this.docker;
    await runOrFail({ command: 'sh', args, cwd: this.folder, env, timeoutMs: DUMPED_WITHIN_MS });
  }

  async build(): Promise<void> {
    await this.compose(['--progress', 'plain', 'build', ...proxies()], { timeoutMs: BUILT_WITHIN_MS });
  }

  /** @throws Error with the last lines of each unhealthy service */
  async up(): Promise<void> {
    const { code, output } = await this.attempt(['up', '--detach', '--wait'], { timeoutMs: UP_WITHIN_MS });
    if (code === 0) return;
    const logs = await this.attempt(['logs', '--no-color', '--tail', '8', ...(await this.unhealthy())]);
    throw new Error(
      `up ended with status ${code}: ${lastLines(output, 2)}\n${lastLines(shortened(logs.output), 40)}`,
    );
  }

  private async unhealthy(): Promise<string[]> {
    const format = '{{.Service}} {{.State}} {{.Health}} {{.ExitCode}}';
    const lines = await this.docker.lines(this.argumentsFor(['ps', '--all', '--format', format]), {
      cwd: this.folder,
    });
    const isWell = (line: string) => /running (?:healthy)? 0$|exited {2}0$/.test(line);
    return lines.filter((line) => !isWell(line)).flatMap((line) => line.split(' ')[0] ?? []);
  }

  /** Runs `docker compose run --rm admin …` and returns its JSON output. */
  async admin(...args: readonly string[]): Promise<unknown> {
    const lines = await this.docker.lines(
      this.argumentsFor(['run', '--rm', '--no-TTY', 'admin', ...args, '--json']),
      { cwd: this.folder },
    );
    return JSON.parse(lines.at(-1) ?? 'null') as unknown;
  }

  /** Returns the id of a service's container, even if the container has ended. */
  async container(service: string): Promise<string> {
    const args = this.argumentsFor(['ps', '--all', '--quiet', service]);
    const [id] = await this.docker.lines(args, { cwd: this.folder });
    if (id === undefined) throw new Error(`the service ${service} has no container`);
    return id;
  }

  /** Returns a part of the container's state, as `docker inspect --format` prints it. */
  async inspect(service: string, format: string): Promise<string> {
    const [line = ''] = await this.docker.lines([
      'inspect',
      '--format',
      format,
      await this.container(service),
    ]);
    return line;
  }

  async makeEnv(): Promise<void> {
    const command = '(umask 077 && sh deploy/make-env.sh > .env)';
    await runOrFail({ command: 'sh', args: ['-c', command], cwd: this.folder, timeoutMs: 10_000 });
  }

  /** Sets variables in `.env`. */
  async configure(values: Readonly<Record<string, string>>): Promise<void> {
    await edit(join(this.folder, '.env'), (text) => {
      const kept = text.split('\n').filter((line) => !((line.split('=', 1)[0] ?? '') in values));
      return [...kept, ...Object.entries(values).map(([key, value]) => `${key}=${value}`), ''].join('\n');
    });
  }

  async configured(name: string): Promise<string> {
    const text = await readFile(join(this.folder, '.env'), 'utf8');
    return new RegExp(`^${name}=(.*)$`, 'm').exec(text)?.[1] ?? '';
  }

  /** Removes containers, networks, volumes and the project's own images. */
  async remove(): Promise<void> {
    await this.attempt(['--profile', '*', 'down', '--volumes', '--remove-orphans', '--timeout', '10'], {
      timeoutMs: UP_WITHIN_MS,
    });
    const names = ['voice-agent-platform', 'voice-agent-platform-agent'];
    const images = names.flatMap((name) => [`${name}:${FIRST_VERSION}`, `${name}:${SECOND_VERSION}`]);
    await this.docker.attempt(['image', 'rm', '--force', ...images]);
  }

  private argumentsFor(args: readonly string[]): string[] {
    return [
      'compose',
      '--project-name',
      PROJECT,
      '--file',
      'docker-compose.yml',
      '--file',
      OVERRIDE,
      ...args,
    ];
  }
}

const shortened = (text: string): string => text.replaceAll(/^(.{300}).*$/gm, '$1 …');

/** Returns the names of the images that the deployment pulls. */
export async function readPinned(root = repositoryRoot()): Promise<string[]> {
  const files = await pinnedFiles(root);
  return pinnedImages(await Promise.all(files.map((file) => readFile(join(root, file), 'utf8'))));
}

async function pinnedFiles(root: string): Promise<string[]> {
  const names = (await readdir(join(root, 'deploy'))).filter((name) => name.endsWith('.Dockerfile'));
  return ['docker-compose.yml', ...names.map((name) => join('deploy', name))];
}

const overrideOf = ({ hasBridge }: DeploymentOptions): string => `services:
  agent:
    extra_hosts: ['models:host-gateway']
${hasBridge ? '' : '  sip:\n    healthcheck: { disable: true }\n'}`;

async function edit(file: string, change: (text: string) => string): Promise<void> {
  await writeFile(file, change(await readFile(file, 'utf8')));
}
