/** A process that judges mutants one after another on its own servers. Postgres stays open, the migrated template is recreated with a mutated function, and mutated workflow sources are bundled again. The process ends with its parent. */
import { cp, mkdir, mkdtemp, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../db/migrate';
import { errorText } from '../../dev/error-text';
import { removeFolder } from '../../dev/remove-folder';
import { query } from '../../dev/stack/postgres';
import { repositoryRoot } from '../../dev/stack/repository';
import { bundledWorkflows } from '../../test/servers/open-bundle';
import { TEMPLATE } from '../../test/servers/open-postgres';
import { closeServers, requireServers } from '../../test/servers/open-servers';
import { publish, published } from '../../test/servers/published';
import { runJest, type SuiteResult } from './jest-run';
import { type Mutant, withMutant } from './mutant';

/** Large or generated folders that aren't copied. */
const LEFT_OUT = new Set(['.git', '.data', 'dist', 'node_modules']);

/** Copies the project, but links to its packages. */
async function copyProject(root: string, into: string): Promise<void> {
  await mkdir(into, { recursive: true });
  const names = (await readdir(root)).filter((name) => !LEFT_OUT.has(name));
  const filter = (path: string): boolean => !/\/(dist|node_modules)$/.test(path);
  await Promise.all(names.map((name) => cp(join(root, name), join(into, name), { recursive: true, filter })));
  await symlink(join(root, 'node_modules'), join(into, 'node_modules'));
}

const writeSource = (copy: string, file: string, source: string): Promise<void> =>
  writeFile(join(copy, file), source);

export type Work =
  | { kind: 'baseline'; suites: string[] }
  | { kind: 'mutant'; mutant: Mutant; suites: string[]; limitMs: number; testLimitMs: number };

/** `invalid`: Postgres or the bundler rejects the mutant. `results` is null if the tests hang. */
export type Judged =
  | { kind: 'ran'; results: SuiteResult[] | null }
  | { kind: 'invalid'; reason: string }
  /** The judge itself failed. */
  | { kind: 'fault'; reason: string };

const PRISTINE = 'template_pristine';
const BASELINE_TEST_MS = 180_000;

class Judge {
  private readonly closing = new AbortController();

  private constructor(
    private readonly folder: string,
    private readonly copy: string,
  ) {}

  static async open(): Promise<Judge> {
    const folder = await mkdtemp(join(tmpdir(), 'voice-agent-platform-mutants-'));
    const judge = new Judge(folder, join(folder, 'project'));
    await copyProject(repositoryRoot(), judge.copy);
    // Requires the servers, because a suite that is skipped finds no mutants.
    await requireServers('workflows');
    await recreate(PRISTINE, TEMPLATE);
    return judge;
  }

  async close(): Promise<void> {
    this.closing.abort();
    await closeServers();
    // Jest may have written to the folder just before.
    await removeFolder(this.folder);
  }

  async judge(work: Work): Promise<Judged> {
    const place = { copy: this.copy, folder: this.folder, suites: work.suites, signal: this.closing.signal };
    if (work.kind === 'baseline') {
      return {
        kind: 'ran',
        results: await runJest({ ...place, limitMs: null, testLimitMs: BASELINE_TEST_MS }),
      };
    }
    const { mutant, limitMs, testLimitMs } = work;
    const source = await readFile(join(this.copy, mutant.file), 'utf8');
    const bundle = published('TEST_WORKFLOW_BUNDLE');
    await writeSource(this.copy, mutant.file, withMutant(source, mutant));
    try {
      const reason = await this.take(mutant, work.suites);
      if (reason !== null) return { kind: 'invalid', reason };
      return { kind: 'ran', results: await runJest({ ...place, limitMs, testLimitMs }) };
    } finally {
      await writeSource(this.copy, mutant.file, source);
      publish('TEST_WORKFLOW_BUNDLE', bundle);
      await dropTestDatabases();
      if (mutant.area === 'sql') await recreate(TEMPLATE, PRISTINE);
    }
  }

  /** Makes the servers run the mutant. Returns the reason if they can't. */
  private async take({ area }: Mutant, suites: readonly string[]): Promise<string | null> {
    try {
      if (area === 'sql') {
        await recreate(TEMPLATE, PRISTINE);
        await migrate(urlOf(TEMPLATE), { functionsFolder: join(this.copy, 'db', 'functions') });
      }
      const isBundled = area === 'workflows' || area === 'decisions';
      if (isBundled && suites.some((suite) => suite.startsWith('test/workflows/'))) {
        const file = join(this.folder, 'workflow-bundle.js');
        await writeFile(file, await bundledWorkflows(this.copy));
        publish('TEST_WORKFLOW_BUNDLE', file);
      }
      return null;
    } catch (error) {
      return errorText(error);
    }
  }
}

async function recreate(name: string, like: string): Promise<void> {
  await query(published('TEST_POSTGRES_URL'), async (client) => {
    await client.query(`drop database if exists ${name} with (force)`);
    await client.query(`create database ${name} template ${like}`);
  });
}

/** Failed tests leave their databases behind, and a function's endless loop would keep running there. */
async function dropTestDatabases(): Promise<void> {
  await query(published('TEST_POSTGRES_URL'), async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select datname as name from pg_database where datname like 'test\\_%'`,
    );
    for (const { name } of rows) await client.query(`drop database if exists ${name} with (force)`);
  });
}

function urlOf(database: string): string {
  const url = new URL(published('TEST_POSTGRES_URL'));
  url.pathname = `/${database}`;
  return url.toString();
}

async function main(): Promise<void> {
  const opening = Judge.open();
  const end = (): void => {
    void opening.then((judge) => judge.close()).finally(() => process.exit());
  };
  process.once('disconnect', end);
  // Ctrl-C reaches every process of the terminal. This one ignores it and ends when its parent disconnects.
  process.on('SIGINT', () => undefined);
  const judge = await opening;
  process.on('message', (work: Work) => {
    void judge
      .judge(work)
      .catch((error: unknown): Judged => ({ kind: 'fault', reason: errorText(error) }))
      .then((judged) => {
        // The parent may have ended.
        if (process.connected) process.send?.(judged);
      });
  });
  process.send?.('ready');
}

main().catch((error: unknown) => {
  console.error(errorText(error));
  process.exit(1);
});
