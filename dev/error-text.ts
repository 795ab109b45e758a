/** Returns an error's message. It checks the shape instead of using `instanceof`, which fails across jest's realms. */
export function errorText(error: unknown): string {
  const hasMessage = typeof error === 'object' && error !== null && 'message' in error;
  return hasMessage && typeof error.message === 'string' ? error.message : String(error);
}
