/** A worker of an earlier version, built from the sources that are stored with that version's histories. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { transformSync, type Options } from '@swc/core';
import { SOURCES_FILE } from '../../../verify/histories/sources';
import { freePort } from '../../../dev/stack/ports';
import { RunningProcess } from '../../../dev/stack/processes';
import { repositoryRoot } from '../../../dev/stack/repository';
import { answersOk } from '../../../dev/stack/wait-until';
import { startWatchdog } from '../../../dev/stack/watchdog';
import { HISTORIES } from '../../workflows/support/stored-histories';
import type { Platform } from './platform';

export interface EarlierWorker {
  process: RunningProcess;
  close: () => Promise<void>;
}

const COMPILED: Options = {
  jsc: { parser: { syntax: 'typescript' }, target: 'es2022', keepClassNames: true },
  module: { type: 'commonjs', ignoreDynamic: true },
};

/** Returns a worker that isn't started yet. It bundles its workflows at each start, because it has no build. */
export async function earlierWorker(platform: Platform, version: string): Promise<EarlierWorker> {
  const { stack } = platform;
  const folder = join(stack.dataFolder, `worker-${version}`);
  unpack(version, folder);
  const port = await freePort(0);
  const watchdog = startWatchdog();
  const worker = new RunningProcess(
    {
      name: `worker-${version}`,
      command: process.execPath,
      args: [join(folder, 'worker', 'main.js')],
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        ...parseEnv(readFileSync(stack.environmentFile, 'utf8')),
        WEBHOOK_ALLOWED_HOSTS: platform.receiver.host,
        WORKER_HEALTH_PORT: String(port),
      },
      ready: () => answersOk(`http://127.0.0.1:${port}/readyz`),
      readyTimeoutMs: 90_000,
      graceMs: 15_000,
    },
    { logFolder: join(stack.dataFolder, 'logs'), runFolder: join(stack.dataFolder, 'run'), watchdog },
  );
  return {
    process: worker,
    close: async () => {
      await worker.stop();
      watchdog.stop();
    },
  };
}

/** Unpacks the sources of a worker and compiles them in place, with today's packages. */
function unpack(version: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  execFileSync('tar', ['-xzf', join(HISTORIES, version, SOURCES_FILE), '-C', folder]);
  symlinkSync(join(repositoryRoot(), 'node_modules'), join(folder, 'node_modules'));
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.ts') || entry.parentPath.includes('node_modules')) continue;
    const file = join(entry.parentPath, entry.name);
    const { code } = transformSync(readFileSync(file, 'utf8'), { ...COMPILED, filename: file, swcrc: false });
    writeFileSync(file.replace(/\.ts$/, '.js'), code);
  }
}
