/** The code of a system or database error. Told by shape: an error of Node's own is no instance of a sandbox's Error. */
export function errorCode(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}
