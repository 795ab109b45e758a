/** The system's code of an error (`ENOENT`), or null. By shape: an error of another realm is no `instanceof Error`. */
export function codeOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}
