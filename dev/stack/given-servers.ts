/** Checks that the servers named by the user respond, before the stack starts anything else. */
import { temporalAccess, temporalProfileIn } from '../../runtime/temporal-access';
import { errorText } from '../error-text';
import type { Environment } from './platform-environment';
import { query } from './postgres';
import { isTemporalReady } from './temporal';
import { withinTime } from './wait-until';

const TEMPORAL_MS = 10_000;

export async function checkGivenServers(given: {
  databaseUrl?: string | undefined;
  temporalAddress?: string | undefined;
  environment: Environment;
}): Promise<void> {
  if (given.databaseUrl) await checkPostgres(given.databaseUrl);
  if (given.temporalAddress) await checkTemporal(given.temporalAddress, given.environment);
}

/** @throws Error that mentions DATABASE_URL but only the URL's host, because the URL may contain a password */
export async function checkPostgres(url: string): Promise<void> {
  const host = /^postgres(ql)?:/.test(url) && URL.canParse(url) ? new URL(url).host : null;
  if (host === null)
    throw new Error('DATABASE_URL must be a Postgres URL (postgres://user:password@host:port/database)');
  await query(url, (client) => client.query('select 1')).catch((cause: unknown) => {
    throw new Error(`DATABASE_URL: the Postgres at ${host} does not accept queries: ${errorText(cause)}`, {
      cause,
    });
  });
}

export async function checkTemporal(address: string, environment: Environment): Promise<void> {
  const profile = temporalProfileIn({ ...environment, TEMPORAL_ADDRESS: address });
  const { namespace } = profile;
  await withinTime(isTemporalReady(temporalAccess(profile), namespace), TEMPORAL_MS).catch(
    (cause: unknown) => {
      const reason = errorText(cause);
      throw new Error(`TEMPORAL_ADDRESS ${address}, namespace ${namespace}, isn't responding: ${reason}`, {
        cause,
      });
    },
  );
}
