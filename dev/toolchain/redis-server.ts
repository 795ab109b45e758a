import { findTool, type FoundTool, type Tool, type ToolSearch } from './find-tool';
import { run } from './run';

/** Older ones were not tried. */
const OLDEST_MAJOR = 5;

export const redisServer: Tool = {
  title: 'the Redis server',
  variable: 'REDIS_SERVER_PATH',
  program: 'redis-server',
  cacheName: 'redis-server',
  vendorArtifact: null,
  remedy: 'install the package (Debian: apt-get install redis-server; macOS: brew install redis)',
  buildTitle: '',
  verify: async (path, environment) => {
    const { output } = await run({ command: path, args: ['--version'], timeoutMs: 20_000, env: environment });
    // Valkey, which takes its place in newer systems, says so in the same words.
    const version = /server v=(\d+)\.[\d.]+/.exec(output);
    if (version === null) throw new Error(`--version printed ${JSON.stringify(output.slice(0, 80))}`);
    if (Number(version[1]) < OLDEST_MAJOR) throw new Error(`${version[0]} is older than ${OLDEST_MAJOR}`);
    return version[0];
  },
  build: null,
};

/** Where LiveKit keeps its trunks and dispatch rules. A package of the system: it is neither downloaded nor built. */
export function findRedisServer(search: ToolSearch): Promise<FoundTool> {
  return findTool(redisServer, search);
}
