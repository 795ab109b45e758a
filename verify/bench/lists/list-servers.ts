/** Starts Postgres with a database of each size, and a real API for each. */
import { openDatabase, type Db } from '../../../db/kernel/connection';
import { onlyRow } from '../../../db/kernel/query';
import { createOrganization } from '../../../dev/demo/organization';
import { during } from '../../../dev/progress';
import { startBareServers, type BareServers, type BareServersOptions } from '../bare-servers';
import { seedLists, type ListSizes } from './seed';

/** An organization with lists of one size, and the connections to read them. */
export interface Place {
  sizes: ListSizes;
  organizationId: string;
  db: Db;
  apiUrl: string;
  key: string;
}

export interface ListServersOptions extends BareServersOptions {
  sizes: ListSizes[];
}

export interface ListServers {
  /** In the order of the given sizes. */
  places: Place[];
  postgresVersion: string;
}

/** Longer than the slowest seeding statement. */
const STATEMENT_TIMEOUT_MS = 300_000;

export async function startListServers(options: ListServersOptions): Promise<ListServers> {
  const servers = await startBareServers(options);
  const places: Place[] = [];
  for (const sizes of options.sizes) places.push(await openPlace(servers, sizes, options));
  const { version } = await onlyRow<{ version: string }>(
    firstOf(places).db,
    `select current_setting('server_version') as version`,
  );
  return { places, postgresVersion: version };
}

function firstOf<Item>(items: readonly Item[]): Item {
  const [first] = items;
  if (first === undefined) throw new Error('the database has no such row');
  return first;
}

async function openPlace(
  servers: BareServers,
  sizes: ListSizes,
  { closing, onProgress }: ListServersOptions,
): Promise<Place> {
  const name = `lists_${sizes.calls}`;
  const databaseUrl = await servers.createDatabase(name);
  const { secretsKey } = servers.secrets;
  const { key } = await createOrganization({ databaseUrl, secretsKey, name, lines: 10 });
  const db = openDatabase({
    url: databaseUrl,
    poolSize: 1,
    timeoutMs: STATEMENT_TIMEOUT_MS,
    applicationName: 'bench',
  });
  closing.add('the connection', () => db.destroy());
  const { id: organizationId } = await onlyRow<{ id: string }>(db, 'select id from organizations');
  await during(onProgress, `writing ${sizes.calls.toLocaleString('en')} calls`, () =>
    seedLists(db, organizationId, sizes),
  );
  const { url: apiUrl } = await servers.startApi({ name, databaseUrl });
  return { sizes, organizationId, db, apiUrl, key };
}
