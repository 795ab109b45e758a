import { exceededQuota } from '../../../db/clients/quotas';
import type { Client } from '../../../db/clients/clients';
import type { Db } from '../../../db/kernel/connection';
import type { QuotaName, Quotas } from '../../../domain/quotas';
import { quotaExceeded } from '../errors/refusals';

/** Returns the organization's own quotas, with the configured ones as defaults. */
export const quotasOf = ({ quotas }: Pick<Client, 'quotas'>, settings: Quotas): Quotas => ({
  ...settings,
  ...quotas,
});

/**
 * Concurrent requests can pass together, because none waits for another.
 * @throws ApiError 409 if an addition exceeds a quota
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

/** Returns the size of a value when stored as JSON. */
export const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '');
