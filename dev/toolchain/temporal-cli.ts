import { findTool, type FoundTool, type Tool, type ToolSearch } from './find-tool';
import { goInstall } from './go-install';
import { run } from './run';

/** The last release that `go install` accepts: later ones carry a `replace` directive. */
const VERSION = 'v1.5.1';
const PACKAGE = `github.com/temporalio/cli/cmd/temporal@${VERSION}`;

/** Oldest server whose dev mode has what the platform uses (updates, current details). */
const OLDEST_SERVER: readonly [number, number] = [1, 26];

export const temporalCli: Tool = {
  title: 'the Temporal CLI',
  variable: 'TEMPORAL_CLI_PATH',
  program: 'temporal',
  cacheName: `temporal-cli-${VERSION}`,
  vendorArtifact: `cli/${VERSION}`,
  remedy: `install Go and run "go install ${PACKAGE}"`,
  buildTitle: 'building the Temporal CLI with go, about 3 minutes',
  verify: async (path, environment) => {
    const { output } = await run({ command: path, args: ['--version'], timeoutMs: 20_000, env: environment });
    const server = /Server (\d+)\.(\d+)\.\d+/.exec(output);
    if (server === null) throw new Error(`--version printed ${JSON.stringify(output.slice(0, 80))}`);
    const [major, minor] = [Number(server[1]), Number(server[2])];
    if (major < OLDEST_SERVER[0] || (major === OLDEST_SERVER[0] && minor < OLDEST_SERVER[1])) {
      throw new Error(`its server ${major}.${minor} is older than ${OLDEST_SERVER.join('.')}`);
    }
    return output.trim();
  },
  build: async (folder, environment) => {
    await goInstall([PACKAGE], { folder, environment });
  },
};

/** The Temporal CLI, whose `server start-dev` is the development server with Web UI. */
export function findTemporalCli(search: ToolSearch): Promise<FoundTool> {
  return findTool(temporalCli, search);
}
