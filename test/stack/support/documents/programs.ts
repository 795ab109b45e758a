/** Runs the documentation's programs like a user who has installed the clients. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { transformSync, type Options } from '@swc/core';
import { repositoryRoot } from '../../../../dev/stack/repository';
import { published } from '../../../servers/published';

const ROOT = repositoryRoot();
const run = promisify(execFile);

const AS_A_MODULE: Options = {
  swcrc: false,
  jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
  module: { type: 'es6' },
};

export class Programs {
  readonly folder = mkdtempSync(join(tmpdir(), 'programs-'));

  constructor(private readonly env: NodeJS.ProcessEnv) {
    mkdirSync(join(this.folder, 'node_modules'));
    for (const name of ['package.json', 'api', 'dist'])
      symlinkSync(join(ROOT, name), join(this.folder, name));
    for (const name of ['express', 'ws', '@types'])
      symlinkSync(join(ROOT, 'node_modules', name), join(this.folder, 'node_modules', name));
    // Node 20 has no built-in WebSocket.
    writeFileSync(join(this.folder, 'websocket.cjs'), "globalThis.WebSocket ??= require('ws');");
  }

  /** Type-checks TypeScript sources, keyed by name, against the packed client and this package, and compiles them. */
  async compile(sources: Readonly<Record<string, string>>): Promise<void> {
    const client = join(this.folder, 'node_modules/voice-agent-platform-client');
    await tsc('-p', join(ROOT, 'sdk/typescript'), '--outDir', join(client, 'dist'));
    cpSync(join(ROOT, 'sdk/typescript/package.json'), join(client, 'package.json'));
    const files = Object.keys(sources).map((name) => join(this.folder, name));
    for (const file of files) {
      const source = sources[basename(file)] ?? '';
      writeFileSync(file, source);
      // Transpiles separately, because the compiler would also write output for this package.
      writeFileSync(file.replace(/mts$/, 'mjs'), transformSync(source, AS_A_MODULE).code);
    }
    const options = ['--target', 'es2022', '--lib', 'es2023', '--module', 'nodenext', '--types', 'node'];
    await tsc(...files, ...options, '--strict', '--skipLibCheck', '--noEmit');
  }

  /** Starts a compiled program by name or path. */
  start(file: string, env: NodeJS.ProcessEnv = {}): ChildProcess {
    return spawn(process.execPath, [file], {
      cwd: this.folder,
      env: { ...process.env, ...this.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  }

  /** Runs a program and returns its output. Writes `source` to the file first, if it is set. */
  async javascript(file: string, source?: string): Promise<string> {
    if (source !== undefined) writeFileSync(join(this.folder, file), source);
    return this.finished(process.execPath, ['--require', './websocket.cjs', file]);
  }

  python(source: string): Promise<string> {
    return this.finished(published('TEST_PYTHON'), ['-c', source]);
  }

  private async finished(program: string, args: string[]): Promise<string> {
    const env = {
      ...process.env,
      ...this.env,
      PYTHONPATH: join(ROOT, 'sdk/python'),
      PYTHONDONTWRITEBYTECODE: '1',
    };
    return (await run(program, args, { cwd: this.folder, env })).stdout;
  }
}

async function tsc(...args: string[]): Promise<void> {
  const program = join(ROOT, 'node_modules/typescript/bin/tsc');
  await run(process.execPath, [program, ...args], { cwd: ROOT }).catch((error: { stdout: string }) => {
    throw new Error(error.stdout);
  });
}
