/** Finds or builds the server programs inside the stand-ins, as the tests do with theirs. */
import {
  findTool,
  type FoundTool,
  type Tool,
  type ToolSearch,
  goInstall,
  printedVersion,
} from '../../../dev/toolchain/find-tool';
import { errorText } from '../../../dev/error-text';
import { livekitServer, livekitSip } from '../../../dev/toolchain/media-tools';
import { temporalCli, sqlToolBeside, temporalServer } from '../../../dev/toolchain/temporal-tools';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';

const UI_VERSION = 'v2.49.1';
const UI_PACKAGE = `github.com/temporalio/ui-server/v2/cmd/server@${UI_VERSION}`;
const UI_PROGRAM = 'ui-server';

const temporalUi: Tool = {
  title: "Temporal's Web UI",
  variable: 'TEMPORAL_UI_PATH',
  program: UI_PROGRAM,
  cacheName: `temporal-ui-${UI_VERSION}`,
  vendorArtifact: null,
  remedy: `install Go, which then builds ${UI_PACKAGE}`,
  verify: async (path, environment) =>
    (await printedVersion({ pattern: /version (\d+)\.(\d+)\.\d+/ }, { path, environment })).whole,
  build: {
    title: "building Temporal's Web UI with go, about 2 minutes",
    commands: ['go'],
    into: async (folder, environment) => {
      await goInstall([UI_PACKAGE], { folder, environment });
      await rename(join(folder, 'server'), join(folder, UI_PROGRAM));
    },
  },
};

export interface Programs {
  temporalServer: string;
  temporalSqlTool: string;
  temporal: string;
  temporalUi: string;
  livekitServer: string;
  /** Null if the machine has none, because it can't be installed from Go's module proxy. */
  livekitSip: string | null;
  /** Why `livekitSip` is null. */
  withoutBridge: string;
}

/** May build with Go for minutes. Builds run one at a time, because each uses all processors. */
export async function findPrograms(search: Omit<ToolSearch, 'configuredPath'>): Promise<Programs> {
  const find = (tool: Tool): Promise<FoundTool> =>
    findTool(tool, { ...search, configuredPath: search.environment[tool.variable] });
  const server = (await find(temporalServer)).path;
  let withoutBridge = '';
  return {
    temporalServer: server,
    temporalSqlTool: sqlToolBeside(server),
    temporal: (await find(temporalCli)).path,
    temporalUi: (await find(temporalUi)).path,
    livekitServer: (await find(livekitServer)).path,
    livekitSip: await find(livekitSip).then(
      ({ path }) => path,
      (error: unknown) => ((withoutBridge = errorText(error)), null),
    ),
    withoutBridge,
  };
}
