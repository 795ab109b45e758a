import { Client, Connection } from '@temporalio/client';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { freePort, releasePort } from '../stack/ports';
import { findTool, type FoundTool, type Tool, type ToolSearch, goInstall, printedVersion } from './find-tool';
import { run, runOrFail } from './run';

/** The last release that `go install` accepts. Later ones contain a `replace` directive. */
const CLI_VERSION = 'v1.5.1';
const CLI_PACKAGE = `github.com/temporalio/cli/cmd/temporal@${CLI_VERSION}`;

/** Oldest server whose development mode supports updates and current details, which the platform uses. */
const OLDEST_CLI_SERVER: readonly number[] = [1, 26];

export const temporalCli: Tool = {
  title: 'the Temporal CLI',
  variable: 'TEMPORAL_CLI_PATH',
  program: 'temporal',
  cacheName: `temporal-cli-${CLI_VERSION}`,
  vendorArtifact: `cli/${CLI_VERSION}`,
  remedy: `install Go, which then builds ${CLI_PACKAGE} (macOS: "brew install temporal")`,
  verify: async (path, environment) => {
    const wanted = { pattern: /Server (\d+)\.(\d+)\.\d+/, oldest: OLDEST_CLI_SERVER, of: 'its server ' };
    return (await printedVersion(wanted, { path, environment })).whole;
  },
  build: {
    title: 'building the Temporal CLI with go, about 3 minutes',
    commands: ['go'],
    into: async (folder, environment) => {
      await goInstall([CLI_PACKAGE], { folder, environment });
    },
  },
};

/** Finds the Temporal CLI, whose `server start-dev` runs the development server with its Web UI. */
export function findTemporalCli(search: ToolSearch): Promise<FoundTool> {
  return findTool(temporalCli, search);
}

const SERVER_VERSION = 'v1.31.2';
const MODULE = 'go.temporal.io/server/cmd';

/** Go packages of the module, and the names of their programs in the vendor's releases. */
const PROGRAMS = {
  server: { package: `${MODULE}/server@${SERVER_VERSION}`, builtAs: 'server', program: 'temporal-server' },
  sql: { package: `${MODULE}/tools/sql@${SERVER_VERSION}`, builtAs: 'sql', program: 'temporal-sql-tool' },
} as const;

const PACKAGES = Object.values(PROGRAMS).map((each) => each.package);

/** Older versions haven't been tested. Their settings and schema names may differ. */
const OLDEST: readonly number[] = [1, 31];

export const temporalServer: Tool = {
  title: 'the Temporal server for Postgres',
  variable: 'TEMPORAL_SERVER_PATH',
  program: PROGRAMS.server.program,
  cacheName: `temporal-server-${SERVER_VERSION}`,
  vendorArtifact: null,
  remedy:
    `put ${PROGRAMS.server.program} and ${PROGRAMS.sql.program} of a release in the same folder on PATH, ` +
    `or install Go, which builds ${PACKAGES.join(' and ')}`,
  verify: async (path, environment) => {
    const wanted = { pattern: /version (\d+)\.(\d+)\.\d+/, oldest: OLDEST };
    const { whole } = await printedVersion(wanted, { path, environment });
    await access(sqlToolBeside(path)).catch((cause: unknown) => {
      throw new Error(`${PROGRAMS.sql.program} is missing in the same folder`, { cause });
    });
    return whole;
  },
  build: {
    title: 'building the Temporal server for Postgres with go, about 3 minutes',
    commands: ['go'],
    into: async (folder, environment) => {
      await goInstall(PACKAGES, { folder, environment });
      for (const { builtAs, program } of Object.values(PROGRAMS)) {
        await rename(join(folder, builtAs), join(folder, program));
      }
    },
  },
};

export type FoundTemporalServer = FoundTool & {
  /** Creates and updates the schema. */
  sqlTool: string;
};

/** Finds Temporal's own server, which stores its state in Postgres, and its schema tool in the same folder. */
export async function findTemporalServer(search: ToolSearch): Promise<FoundTemporalServer> {
  const found = await findTool(temporalServer, search);
  return { ...found, sqlTool: sqlToolBeside(found.path) };
}

export function sqlToolBeside(server: string): string {
  return join(dirname(server), PROGRAMS.sql.program);
}

const TEST_SERVER_VERSION = '1.38.0';

export const timeSkippingServer: Tool = {
  title: "Temporal's time-skipping test server",
  variable: 'TEMPORAL_TEST_SERVER_PATH',
  program: 'temporal-test-server',
  cacheName: `temporal-test-server-${TEST_SERVER_VERSION}-archived`,
  vendorArtifact: `temporal-test-server/v${TEST_SERVER_VERSION}`,
  remedy:
    'install Java 17 and Maven, which then download it (Debian: apt-get install default-jre-headless maven)',
  verify: async (path, environment) => {
    // The program doesn't support --version. Without a port, it prints its usage and exits.
    const { output } = await run({ command: path, args: [], timeoutMs: 30_000, env: environment });
    if (!output.includes('--enable-time-skipping')) {
      throw new Error(`it printed ${JSON.stringify(output.slice(0, 80))}`);
    }
    return TEST_SERVER_VERSION;
  },
  build: {
    title: "downloading Temporal's time-skipping test server with Maven, about 20 seconds",
    commands: ['mvn', 'java'],
    into: async (folder, environment) => {
      await writeFile(join(folder, 'pom.xml'), POM);
      await writeFile(join(folder, 'temporal-test-server'), LAUNCHER, { mode: 0o755 });
      await runOrFail({
        command: 'mvn',
        args: [
          'dependency:copy-dependencies',
          '--batch-mode',
          '--no-transfer-progress',
          '--file',
          join(folder, 'pom.xml'),
          `-DoutputDirectory=${join(folder, 'libs')}`,
        ],
        timeoutMs: 10 * 60_000,
        env: environment,
        cwd: folder,
      });
      await archiveClasses(folder, environment);
    },
  },
};

/** Finds Temporal's Java test server, in which days of a workflow pass in milliseconds. */
export function findTimeSkippingServer(search: ToolSearch): Promise<FoundTool> {
  return findTool(timeSkippingServer, search);
}

const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>voice-agent-platform</groupId>
  <artifactId>temporal-test-server-libraries</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>io.temporal</groupId>
      <artifactId>temporal-test-server</artifactId>
      <version>${TEST_SERVER_VERSION}</version>
    </dependency>
  </dependencies>
</project>
`;

/**
 * With a single garbage collector thread, one compiler tier and archived classes, the JVM starts in a fifth of the time. It ignores an
 * archive that is missing or of another Java version. The paths are relative because the folder is moved after the build.
 */
const LAUNCHER = `#!/bin/sh
cd -- "$(dirname -- "$0")"
archive='-XX:SharedArchiveFile=classes.jsa -Xlog:disable -Xlog:all=error:stderr'
if [ "$1" = --archive ]; then archive=-XX:ArchiveClassesAtExit=classes.jsa; shift; fi
exec java $archive -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp 'libs/*' io.temporal.testserver.TestServer "$@"
`;

/** Runs the server once with a workflow, so that the JVM writes the classes it has loaded. */
async function archiveClasses(folder: string, environment: NodeJS.ProcessEnv): Promise<void> {
  const port = await freePort(0);
  const server = spawn(join(folder, 'temporal-test-server'), ['--archive', String(port)], {
    env: environment,
    stdio: 'ignore',
  });
  const exit = once(server, 'exit');
  try {
    const connection = await Connection.connect({ address: `127.0.0.1:${port}`, connectTimeout: '60s' });
    const { workflow } = new Client({ connection });
    const handle = await workflow.start('any', { taskQueue: 'any', workflowId: 'any' });
    await handle.signal('any');
    await handle.terminate();
    await connection.close();
  } finally {
    server.kill();
    await exit;
    releasePort(port);
  }
}
