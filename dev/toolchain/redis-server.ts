import { findTool, type FoundTool, type Tool, type ToolSearch } from './find-tool';
import { printedVersion } from './printed-version';

/** Older versions haven't been tested. */
const OLDEST: readonly number[] = [5];

export const redisServer: Tool = {
  title: 'the Redis server',
  variable: 'REDIS_SERVER_PATH',
  program: 'redis-server',
  cacheName: 'redis-server',
  vendorArtifact: null,
  remedy: 'install the package (Debian: apt-get install redis-server; macOS: brew install redis)',
  verify: async (path, environment) => {
    // Valkey, which replaces Redis in newer systems, prints the same text.
    const wanted = { pattern: /server v=(\d+)\.[\d.]+/, oldest: OLDEST };
    return (await printedVersion(wanted, { path, environment })).found;
  },
  build: null,
};

/**
 * Finds the store for LiveKit's trunks and dispatch rules. It must be installed as a system package; this neither downloads nor builds it.
 */
export function findRedisServer(search: ToolSearch): Promise<FoundTool> {
  return findTool(redisServer, search);
}
