import { exceededQuota } from '../../../db/clients/quotas';
import type { Client } from '../../../db/clients/clients';
import type { Db } from '../../../db/kernel/connection';
import type { QuotaName, Quotas } from '../../../domain/quotas';
import { quotaExceeded } from '../errors/refusals';

/** The quotas of the organization: its own, and the configured ones for the rest. */
export const quotasOf = ({ quotas }: Pick<Client, 'quotas'>, settings: Quotas): Quotas => ({
  ...settings,
  ...quotas,
});

/**
 * Requests at the same instant may pass together, as none of them waits for another.
 * @throws ApiError 409 where an addition does not fit into a quota
 */
export async function assertRoom(
  { db, settings }: { db: Db; settings: { quotas: Quotas } },
  client: Pick<Client, 'id' | 'quotas'>,
  adding: Readonly<Partial<Record<QuotaName, number>>>,
): Promise<void> {
  const quotas = quotasOf(client, settings.quotas);
  const exceeded = await exceededQuota(db, client.id, { quotas, adding });
  if (exceeded !== undefined) throw quotaExceeded(exceeded, quotas[exceeded]);
}

/** The bytes of a value that is stored as JSON. */
export const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '');
