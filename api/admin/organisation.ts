import { clientsNamed, findClient, type Client } from '../../db/clients/clients';
import type { Db } from '../../db/kernel/connection';
import { isUuid } from '../../domain/uuid';
import { UsageError } from './usage-error';

/** By its id, or by its name where only one has it. */
export async function organisation(db: Db, idOrName: string): Promise<Client> {
  if (isUuid(idOrName)) {
    const client = await findClient(db, idOrName);
    if (client !== undefined) return client;
  }
  const [client, ...others] = await clientsNamed(db, idOrName.trim());
  if (client === undefined) {
    throw new UsageError(
      isUuid(idOrName)
        ? `There is no organisation with the id ${idOrName}`
        : 'There is no organisation of this name: see "org list"',
    );
  }
  if (others.length === 0) return client;
  throw new UsageError(
    `${others.length + 1} organisations have this name: say the id, as "org list" shows it`,
  );
}
