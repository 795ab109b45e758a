/** Returns the code of a system or database error (`ENOENT`, `23505`), or null. Checks the shape, because `instanceof Error` fails across realms. */
export function errorCode(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}
