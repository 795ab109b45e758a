import { findTool, type FoundTool, type Tool, type ToolSearch } from './find-tool';
import { goInstall } from './go-install';
import { printedVersion } from './printed-version';

/** The last release that `go install` accepts. Later ones contain a `replace` directive. */
const VERSION = 'v1.5.1';
const PACKAGE = `github.com/temporalio/cli/cmd/temporal@${VERSION}`;

/** Oldest server whose development mode supports updates and current details, which the platform uses. */
const OLDEST_SERVER: readonly number[] = [1, 26];

export const temporalCli: Tool = {
  title: 'the Temporal CLI',
  variable: 'TEMPORAL_CLI_PATH',
  program: 'temporal',
  cacheName: `temporal-cli-${VERSION}`,
  vendorArtifact: `cli/${VERSION}`,
  remedy: `install Go, which then builds ${PACKAGE} (macOS: "brew install temporal")`,
  verify: async (path, environment) => {
    const wanted = { pattern: /Server (\d+)\.(\d+)\.\d+/, oldest: OLDEST_SERVER, of: 'its server ' };
    return (await printedVersion(wanted, { path, environment })).whole;
  },
  build: {
    title: 'building the Temporal CLI with go, about 3 minutes',
    commands: ['go'],
    into: async (folder, environment) => {
      await goInstall([PACKAGE], { folder, environment });
    },
  },
};

/** Finds the Temporal CLI, whose `server start-dev` runs the development server with its Web UI. */
export function findTemporalCli(search: ToolSearch): Promise<FoundTool> {
  return findTool(temporalCli, search);
}
