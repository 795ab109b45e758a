/** Checks stored data against quotas. Triggers maintain the totals, so the cost of a check doesn't grow with the data. */
import { QUOTA_NAMES, type QuotaName, type Quotas } from '../../domain/quotas';
import type { Db } from '../kernel/connection';
import { rows } from '../kernel/query';

export async function keptOf(db: Db, organizationId: string): Promise<Record<QuotaName, number>> {
  const found = await rows<{ list: QuotaName; total: number }>(
    db,
    `select list, sum(total) as total from list_totals
     where organization_id = :organizationId and list = any(:lists) group by list`,
    { organizationId, lists: [...QUOTA_NAMES] },
  );
  const totals = new Map(found.map(({ list, total }) => [list, total]));
  const kept = QUOTA_NAMES.map((name) => [name, totals.get(name) ?? 0] as const);
  return Object.fromEntries(kept) as Record<QuotaName, number>;
}

/** Sets the organization's own quotas. Those not in `wanted` stay unchanged. Null removes a quota, so that the configured one applies. */
export async function setQuotas(
  trx: Db,
  organizationId: string,
  wanted: Readonly<Partial<Record<QuotaName, number | null>>>,
): Promise<void> {
  await rows(
    trx,
    `update organizations set quotas = jsonb_strip_nulls(quotas || :wanted::jsonb) where id = :organizationId`,
    { organizationId, wanted: JSON.stringify(wanted) },
  );
}

/** Returns the first quota that the addition would exceed. Undefined if it fits. */
export async function exceededQuota(
  db: Db,
  organizationId: string,
  { quotas, adding }: { quotas: Quotas; adding: Readonly<Partial<Record<QuotaName, number>>> },
): Promise<QuotaName | undefined> {
  const limited = QUOTA_NAMES.filter((name) => (adding[name] ?? 0) > 0 && quotas[name] > 0);
  if (limited.length === 0) return undefined;
  const kept = await keptOf(db, organizationId);
  return limited.find((name) => kept[name] + (adding[name] ?? 0) > quotas[name]);
}
