import { exceededQuota } from '../../../db/organizations/quotas';
import type { Organization } from '../../../db/organizations/organizations';
import type { Db } from '../../../db/kernel/connection';
import type { QuotaName, Quotas } from '../../../domain/quotas';
import { quotaExceeded } from '../errors/refusals';

/** Returns the organization's quotas, or the configured ones where it has none. */
export const quotasOf = ({ quotas }: Pick<Organization, 'quotas'>, settings: Quotas): Quotas => ({
  ...settings,
  ...quotas,
});

/**
 * Concurrent requests may together exceed a quota, because there is no lock.
 * @throws ApiError 409 if an addition exceeds a quota
 */
export async function assertRoom(
  { db, settings }: { db: Db; settings: { quotas: Quotas } },
  organization: Pick<Organization, 'id' | 'quotas'>,
  adding: Readonly<Partial<Record<QuotaName, number>>>,
): Promise<void> {
  const quotas = quotasOf(organization, settings.quotas);
  const exceeded = await exceededQuota(db, organization.id, { quotas, adding });
  if (exceeded !== undefined) throw quotaExceeded(exceeded, quotas[exceeded]);
}

/** Returns the size of a value when stored as JSON. */
export const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '');
