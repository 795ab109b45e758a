/** Postgres comes with the packages; the demo and `npm start` use that of DATABASE_URL where one is set, the tests never do. */
import { errorText } from '../error-code';
import { lookForPostgres } from '../stack/postgres-binaries';
import { query } from '../stack/postgres';
import { unprivilegedUser } from '../stack/unprivileged-user';
import type { Check } from './check';

const LINE = { group: 'servers', title: 'postgres', onlyFor: null, remedy: null } as const;

export async function packagedPostgresCheck(): Promise<Check> {
  try {
    const user = await unprivilegedUser();
    const { version, atFirstStart } = await lookForPostgres({ user });
    const as = user === null ? '' : `, runs as the user ${user.name}`;
    const later = atFirstStart === null ? '' : `; at the first start ${atFirstStart}`;
    return { ...LINE, state: 'ok', found: `${version} of the packages${as}${later}` };
  } catch (error) {
    // Its message says what to do.
    return { ...LINE, state: 'missing', found: 'the packaged one cannot run', remedy: errorText(error) };
  }
}

/** Null where the variable is not set. Says nothing of the address but its host: it may hold a password. */
export async function configuredPostgresCheck(url: string | undefined): Promise<Check | null> {
  if (!url) return null;
  const line = { ...LINE, title: 'DATABASE_URL' };
  const host = hostOf(url);
  if (host === null) return { ...line, state: 'missing', found: 'is no address', remedy: REMEDY };
  try {
    await query(url, (client) => client.query('select 1'));
    return { ...line, state: 'ok', found: `Postgres answers at ${host}; used instead of the packaged one` };
  } catch {
    return { ...line, state: 'missing', found: `no Postgres that takes queries at ${host}`, remedy: REMEDY };
  }
}

const REMEDY = 'start that server, correct the variable, or unset it: the packaged one is then used';

function hostOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).host : null;
}
