import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * Where servers that were downloaded or built are kept. It lies outside the repository, so that a second
 * clone finds them; root has its own place because its home is closed to the user that Postgres runs as.
 */
export function cacheFolder(environment: NodeJS.ProcessEnv, uid = process.getuid?.()): string {
  if (uid === 0) return '/var/cache/voice-agent-platform';
  return join(environment.XDG_CACHE_HOME || join(homedir(), '.cache'), 'voice-agent-platform');
}
