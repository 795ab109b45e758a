import { randomUUID } from 'node:crypto';

/**
 * A UUID of version 7: it begins with its instant, so that rows made one after the other lie side by side in an index, and in the month of
 * their instant where a table is partitioned by ids (`../functions/make_months.sql`).
 */
export function timedId(now: number): string {
  const instant = now.toString(16).padStart(12, '0');
  return `${instant.slice(0, 8)}-${instant.slice(8)}-7${randomUUID().slice(15)}`;
}
