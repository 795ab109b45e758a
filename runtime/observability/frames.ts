/** The places in a stack without the message, which its first lines repeat, and which may quote the values of a row. */
export const framesOf = (stack = '', most = Infinity): string[] =>
  stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, most)
    .map((line) => line.trim());
