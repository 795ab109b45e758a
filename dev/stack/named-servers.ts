import type { Environment } from './platform-environment';
import type { StackOptions } from './stack';

/** What a person's environment names is used instead of what a stack would start or make. */
export const namedServers = (
  environment: Environment,
): Pick<StackOptions, 'dataDir' | 'databaseUrl' | 'temporalAddress' | 'temporalCliPath'> => ({
  dataDir: environment.DATA_DIR,
  databaseUrl: environment.DATABASE_URL,
  temporalAddress: environment.TEMPORAL_ADDRESS,
  temporalCliPath: environment.TEMPORAL_CLI_PATH,
});
