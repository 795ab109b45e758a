import { errorText } from '../error-text';
import { checkPostgres } from '../stack/postgres-binaries';
import { unprivilegedUser } from '../stack/unprivileged-user';
import type { Check } from './check';

const LINE = { group: 'servers', title: 'postgres', onlyFor: null, remedy: null } as const;

/** Checks the Postgres that comes with the packages, which has no further requirements. */
export async function packagedPostgresCheck(): Promise<Check> {
  try {
    const user = await unprivilegedUser();
    const { version, atFirstStart } = await checkPostgres({ user });
    const as = user === null ? '' : `, will run as the user ${user.name}`;
    const later = atFirstStart === null ? '' : `; on the first start, ${atFirstStart}`;
    return { ...LINE, state: 'ok', found: `${version} of the packages${as}${later}` };
  } catch (error) {
    // The error message explains the remedy.
    return { ...LINE, state: 'missing', found: 'the packaged Postgres cannot run', remedy: errorText(error) };
  }
}
