import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * Returns the folder for downloaded or built servers. It is outside the repository so that other clones can share it. Root has a separate
 * folder, because Postgres' user can't reach root's home.
 */
export function cacheFolder(environment: NodeJS.ProcessEnv, uid = process.getuid?.()): string {
  if (uid === 0) return '/var/cache/voice-agent-platform';
  return join(environment.XDG_CACHE_HOME || join(homedir(), '.cache'), 'voice-agent-platform');
}
