/** Returns the stack frames without the message, because the message can quote a row's values. */
export const framesOf = (stack = '', most = Infinity): string[] =>
  stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, most)
    .map((line) => line.trim());
