/** What an error says of itself. By shape, not by `instanceof`, which jest's realms defeat. */
export function errorText(error: unknown): string {
  const hasMessage = typeof error === 'object' && error !== null && 'message' in error;
  return hasMessage && typeof error.message === 'string' ? error.message : String(error);
}
