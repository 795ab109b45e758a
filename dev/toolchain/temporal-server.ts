import { access, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { findTool, type FoundTool, type Tool, type ToolSearch } from './find-tool';
import { goInstall } from './go-install';
import { run } from './run';

const VERSION = 'v1.31.2';
const MODULE = 'go.temporal.io/server/cmd';

/** Each package of the module with the name that the vendor's releases give its program. */
const PROGRAMS = {
  server: { package: `${MODULE}/server@${VERSION}`, builtAs: 'server', program: 'temporal-server' },
  sql: { package: `${MODULE}/tools/sql@${VERSION}`, builtAs: 'sql', program: 'temporal-sql-tool' },
} as const;

const PACKAGES = Object.values(PROGRAMS).map((each) => each.package);

/** Older ones were not tried: their settings and schema names may differ. */
const OLDEST: readonly [number, number] = [1, 31];

export const temporalServer: Tool = {
  title: 'the Temporal server for Postgres',
  variable: 'TEMPORAL_SERVER_PATH',
  program: PROGRAMS.server.program,
  cacheName: `temporal-server-${VERSION}`,
  vendorArtifact: null,
  remedy:
    `put ${PROGRAMS.server.program} and ${PROGRAMS.sql.program} of a release beside each other on PATH, ` +
    `or install Go, which builds ${PACKAGES.join(' and ')}`,
  buildTitle: 'building the Temporal server for Postgres with go, about 3 minutes',
  verify: async (path, environment) => {
    const { output } = await run({ command: path, args: ['--version'], timeoutMs: 20_000, env: environment });
    const version = /version (\d+)\.(\d+)\.\d+/.exec(output);
    if (version === null) throw new Error(`--version printed ${JSON.stringify(output.slice(0, 80))}`);
    const [major, minor] = [Number(version[1]), Number(version[2])];
    if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
      throw new Error(`${major}.${minor} is older than ${OLDEST.join('.')}`);
    }
    await access(sqlToolBeside(path)).catch((cause: unknown) => {
      throw new Error(`${PROGRAMS.sql.program} is not beside it`, { cause });
    });
    return output.trim();
  },
  build: async (folder, environment) => {
    await goInstall(PACKAGES, { folder, environment });
    for (const { builtAs, program } of Object.values(PROGRAMS)) {
      await rename(join(folder, builtAs), join(folder, program));
    }
  },
};

export type FoundTemporalServer = FoundTool & {
  /** Makes and updates the schema. */
  sqlTool: string;
};

/** Temporal's own server, which keeps its state in Postgres, and the tool for its schema beside it. */
export async function findTemporalServer(search: ToolSearch): Promise<FoundTemporalServer> {
  const found = await findTool(temporalServer, search);
  return { ...found, sqlTool: sqlToolBeside(found.path) };
}

function sqlToolBeside(server: string): string {
  return join(dirname(server), PROGRAMS.sql.program);
}
