import { randomUUID } from 'node:crypto';

/**
 * Creates a UUID of version 7, which begins with its instant. Rows created together are then close together in an index, and tables can be
 * partitioned by the month of their ids (`../functions/make_months.sql`).
 */
export function timedId(now: number): string {
  const instant = now.toString(16).padStart(12, '0');
  return `${instant.slice(0, 8)}-${instant.slice(8)}-7${randomUUID().slice(15)}`;
}
