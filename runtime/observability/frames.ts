/** Returns the stack frames without the message, because the message can quote a row's values. */
export const framesOf = (stack = '', max = Infinity): string[] =>
  stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, max)
    .map((line) => line.trim());
