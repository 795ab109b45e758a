import { clientsNamed, findClient, type Client } from '../../db/clients/clients';
import type { Db } from '../../db/kernel/connection';
import { isUuid } from '../../domain/uuid';
import { UsageError } from './usage-error';

/** Finds an organization by its id, or by its name if that is unique. */
export async function organisation(db: Db, idOrName: string): Promise<Client> {
  if (isUuid(idOrName)) {
    const client = await findClient(db, idOrName);
    if (client !== undefined) return client;
  }
  const [client, ...others] = await clientsNamed(db, idOrName.trim());
  if (client === undefined) {
    throw new UsageError(
      isUuid(idOrName)
        ? `There is no organization with the id ${idOrName}`
        : 'There is no organization with this name. See "org list"',
    );
  }
  if (others.length === 0) return client;
  throw new UsageError(`${others.length + 1} organizations have this name. Give the id from "org list"`);
}
