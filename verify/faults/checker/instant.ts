/** Milliseconds since the epoch. */
export function msOf(iso: string): number {
  const ms = Date.parse(iso);
  if (Number.isNaN(ms)) throw new Error(`no instant: ${iso}`);
  return ms;
}

export const isoOf = (ms: number): string => new Date(ms).toISOString();

/** A number as violations may show it. */
export const masked = (number: string): string => `${number.slice(0, 3)}…${number.slice(-2)}`;
