import { access, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { findTool, type FoundTool, type Tool, type ToolSearch } from './find-tool';
import { goInstall } from './go-install';
import { printedVersion } from './printed-version';

const VERSION = 'v1.31.2';
const MODULE = 'go.temporal.io/server/cmd';

/** Go packages of the module, and the names of their programs in the vendor's releases. */
const PROGRAMS = {
  server: { package: `${MODULE}/server@${VERSION}`, builtAs: 'server', program: 'temporal-server' },
  sql: { package: `${MODULE}/tools/sql@${VERSION}`, builtAs: 'sql', program: 'temporal-sql-tool' },
} as const;

const PACKAGES = Object.values(PROGRAMS).map((each) => each.package);

/** Older versions haven't been tested. Their settings and schema names may differ. */
const OLDEST: readonly number[] = [1, 31];

export const temporalServer: Tool = {
  title: 'the Temporal server for Postgres',
  variable: 'TEMPORAL_SERVER_PATH',
  program: PROGRAMS.server.program,
  cacheName: `temporal-server-${VERSION}`,
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
