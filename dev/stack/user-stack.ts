/** Options of the stacks that the demo, `npm start` and `npm run talk` start, and the sign-in link that they print. */
import { errorText } from '../error-text';
import type { Environment } from './platform-environment';
import type { RunningProcess } from './processes';
import { repositoryRoot } from './repository';
import type { StackOptions } from './stack';
import { issueSignInLink } from '../../api/console/sign-in-link';
import {
  findOrganization,
  insertOrganization,
  newestOrganization,
  type Organization,
} from '../../db/organizations/organizations';
import { openDatabase, type Db } from '../../db/kernel/connection';

const RESTARTS_IN_A_ROW = 5;
const QUIET_MS = 60_000;

interface Restarting {
  say: (line: string) => void;
  isStopping: () => boolean;
  /** Called when a process keeps dying. */
  giveUp?: (ended: RunningProcess, reason: string) => void;
}

/** Uses the servers and folders that the environment names, and restarts processes that die. */
export const userStack = (
  environment: Environment,
  restarting: Restarting,
): Pick<StackOptions, 'repository' | 'environment'> & Partial<StackOptions> => ({
  repository: repositoryRoot(),
  environment,
  dataDir: environment.DATA_DIR,
  databaseUrl: environment.DATABASE_URL,
  temporalAddress: environment.TEMPORAL_ADDRESS,
  temporalCliPath: environment.TEMPORAL_CLI_PATH,
  onUnexpectedEnd: restarter(restarting),
});

/** Restarts a process that died, which is safe because its state is in Postgres and Temporal. */
function restarter({ say, isStopping, giveUp }: Restarting) {
  const restarts = new Map<string, { count: number; atMs: number }>();
  const restart = async (ended: RunningProcess, reason: string): Promise<void> => {
    if (isStopping()) return;
    const last = restarts.get(ended.name);
    const count = last !== undefined && Date.now() - last.atMs < QUIET_MS ? last.count + 1 : 1;
    restarts.set(ended.name, { count, atMs: Date.now() });
    if (count > RESTARTS_IN_A_ROW) {
      say(
        `${ended.name} ${reason} ${count} times in a row and will not be restarted.\n${await ended.lastLines()}`,
      );
      return giveUp?.(ended, reason);
    }
    say(`${ended.name} ${reason}. Restarting it. (Log: ${ended.logFile})`);
    await ended.start().catch((error: unknown) => {
      say(errorText(error));
      return restart(ended, 'did not start');
    });
  };
  return (ended: RunningProcess, reason: string): void => void restart(ended, reason);
}

/** Name of the organization that is created if none exists. */
const FIRST_ORGANIZATION = 'My organization';

/**
 * Returns a single-use link that signs in to the console, as `admin console link` does. Without an id, uses the newest organization or
 * creates the first one.
 */
export async function consoleLink(
  { databaseUrl, apiUrl }: { databaseUrl: string; apiUrl: string },
  { organizationId, by }: { organizationId: string | null; by: string },
): Promise<string> {
  const db = openDatabase({ url: databaseUrl, poolSize: 1, applicationName: 'console link' });
  try {
    const path = await db.transaction(async (trx) => {
      const organization = await organizationFor(trx, organizationId);
      const actor = { kind: 'operator', id: by, requestId: null } as const;
      const wanted = { organizationId: organization.id, of: { person: by }, showsWorkflows: true, actor };
      return (await issueSignInLink(trx, wanted, Date.now())).path;
    });
    return apiUrl + path;
  } finally {
    await db.destroy();
  }
}

async function organizationFor(db: Db, organizationId: string | null): Promise<Organization> {
  const known =
    organizationId === null ? await newestOrganization(db) : await findOrganization(db, organizationId);
  if (known !== undefined) return known;
  if (organizationId !== null) throw new Error('the organization no longer exists');
  return insertOrganization(db, { name: FIRST_ORGANIZATION });
}
