import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../toolchain/run';
import type { Environment, Overrides } from './platform-environment';
import { RunningProcess, type ProcessPlan, type Supervision } from './processes';
import { answersOk } from './wait-until';

type PlatformPorts = { api: number; simulator: number; workerHealth: number };

/** Flags for Node. V8's four background threads would use more processor time than one does. */
export const NODE_FLAGS = ['--v8-pool-size=1'] as const;

/** Describes how to start the platform's Node processes from the build in `dist`. */
export class PlatformProcesses {
  constructor(
    private readonly options: {
      repository: string;
      environment: Environment;
      overrides: Overrides;
      ports: PlatformPorts;
      supervision: Supervision;
    },
  ) {}

  get environment(): Environment {
    return this.options.environment;
  }

  /** Adds variables to the environment of processes that are created from now on. */
  addVariables(variables: Environment): void {
    this.options.environment = { ...this.options.environment, ...variables };
  }

  simulator(log: string): RunningProcess {
    const port = this.options.ports.simulator;
    return this.process({
      name: 'simulator',
      entry: 'dist/dev/simulator/main.js',
      env: {
        SIMULATOR_PORT: String(port),
        SIMULATOR_LOG: this.options.environment.SIMULATOR_LOG || log,
        ...this.options.overrides.simulator,
      },
      readyUrl: `http://127.0.0.1:${port}/stats`,
    });
  }

  worker(): RunningProcess {
    const port = this.options.ports.workerHealth;
    return this.process({
      name: 'worker',
      entry: 'dist/worker/main.js',
      env: { WORKER_HEALTH_PORT: String(port), ...this.options.overrides.worker },
      readyUrl: `http://127.0.0.1:${port}/readyz`,
    });
  }

  api(): RunningProcess {
    const port = this.options.ports.api;
    return this.process({
      name: 'api',
      entry: 'dist/api/main.js',
      env: { PORT: String(port), ...this.options.overrides.api },
      readyUrl: `http://127.0.0.1:${port}/readyz`,
    });
  }

  /** Migrates the database to the newest schema. Rejects with the migration's output. */
  async migrate(): Promise<void> {
    const { repository, environment } = this.options;
    const { code, output, timedOut } = await run({
      command: process.execPath,
      args: [built(repository, 'dist/db/migrate.js')],
      cwd: repository,
      env: environment,
      timeoutMs: 120_000,
    });
    if (code !== 0) {
      const why = timedOut ? 'did not finish within 120 s' : `failed with status ${code}`;
      throw new Error(`the database migration ${why}:\n${output.trim()}`);
    }
  }

  private process(options: {
    name: string;
    entry: string;
    env: Environment;
    readyUrl: string;
  }): RunningProcess {
    const { repository, environment, supervision } = this.options;
    const plan: ProcessPlan = {
      name: options.name,
      command: process.execPath,
      args: [...NODE_FLAGS, built(repository, options.entry)],
      cwd: repository,
      env: { ...environment, ...options.env },
      ready: () => answersOk(options.readyUrl),
      readyTimeoutMs: 60_000,
      graceMs: 15_000,
    };
    return new RunningProcess(plan, supervision);
  }
}

function built(repository: string, entry: string): string {
  const file = join(repository, entry);
  if (!existsSync(file)) throw new Error(`${entry} is missing: run "npm run build" first`);
  return file;
}
