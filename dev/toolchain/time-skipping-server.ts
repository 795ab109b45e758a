import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { freePort, releasePort } from '../stack/ports';
import { findTool, type FoundTool, type Tool, type ToolSearch } from './find-tool';
import { run, runOrFail } from './run';

const VERSION = '1.38.0';

export const timeSkippingServer: Tool = {
  title: "Temporal's time-skipping test server",
  variable: 'TEMPORAL_TEST_SERVER_PATH',
  program: 'temporal-test-server',
  cacheName: `temporal-test-server-${VERSION}-archived`,
  vendorArtifact: `temporal-test-server/v${VERSION}`,
  remedy:
    'install Java 17 and Maven, which then download it (Debian: apt-get install default-jre-headless maven)',
  verify: async (path, environment) => {
    // The program doesn't support --version. Without a port, it prints its usage and exits.
    const { output } = await run({ command: path, args: [], timeoutMs: 30_000, env: environment });
    if (!output.includes('--enable-time-skipping')) {
      throw new Error(`it printed ${JSON.stringify(output.slice(0, 80))}`);
    }
    return VERSION;
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
      <version>${VERSION}</version>
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
