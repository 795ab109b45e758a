import { randomUUID } from 'node:crypto';
import type { Db } from './connection';
import { firstRow } from './query';

/** An organisation: whom keys, agents, campaigns and calls belong to. */
export interface Client {
  id: string;
  name: string;
  /** Most calls live at once, over all campaigns and dispatches of the client. */
  maxConcurrency: number;
}

const CLIENT = `select id, name, max_concurrency as "maxConcurrency" from clients`;

export async function insertClient(
  db: Db,
  { name, maxConcurrency }: { name: string; maxConcurrency?: number },
): Promise<Client> {
  const id = randomUUID();
  const limits = maxConcurrency === undefined ? {} : { max_concurrency: maxConcurrency };
  const [client] = await db('clients')
    .insert({ id, name, ...limits })
    .returning<Client[]>(['id', 'name', 'max_concurrency as maxConcurrency']);
  if (client === undefined) throw new Error('the inserted client was not answered');
  return client;
}

export function findClient(db: Db, clientId: string): Promise<Client | undefined> {
  return firstRow<Client>(db, `${CLIENT} where id = :clientId`, { clientId });
}
