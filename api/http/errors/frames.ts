/** The places of an error without its message, which may quote the values of a row. */
export function framesOf(error: Error, most: number): string[] {
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return frames.slice(0, most).map((line) => line.trim());
}
