import type { Environment } from './platform-environment';
import type { StackOptions } from './stack';

/** Returns the servers and folders that the user's environment names, which the stack uses instead of its own. */
export const namedServers = (
  environment: Environment,
): Pick<StackOptions, 'dataDir' | 'databaseUrl' | 'temporalAddress' | 'temporalCliPath'> => ({
  dataDir: environment.DATA_DIR,
  databaseUrl: environment.DATABASE_URL,
  temporalAddress: environment.TEMPORAL_ADDRESS,
  temporalCliPath: environment.TEMPORAL_CLI_PATH,
});
