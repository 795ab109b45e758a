export function msOf(iso: string): number {
  const ms = Date.parse(iso);
  if (Number.isNaN(ms)) throw new Error(`no instant: ${iso}`);
  return ms;
}

export const isoOf = (ms: number): string => new Date(ms).toISOString();

/** Masks a phone number for violation messages. */
export const masked = (number: string): string => `${number.slice(0, 3)}…${number.slice(-2)}`;
