/** Formats an instant as UTC with milliseconds and Z. It also accepts text, because Postgres formats instants in JSON differently. */
export function iso(instant: Date | string): string;
export function iso(instant: Date | string | null): string | null;
export function iso(instant: Date | string | null): string | null {
  return instant === null ? null : new Date(instant).toISOString();
}
