/** UTC with milliseconds and Z; null for what has not happened. Postgres' JSON writes instants in its own way, so text is read too. */
export function iso(instant: Date | string): string;
export function iso(instant: Date | string | null): string | null;
export function iso(instant: Date | string | null): string | null {
  return instant === null ? null : new Date(instant).toISOString();
}
