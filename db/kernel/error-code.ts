/** The code of a system or database error (`ENOENT`, `23505`), null where it has none. By shape: an error of another realm is no instance of this one's Error. */
export function errorCode(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}
