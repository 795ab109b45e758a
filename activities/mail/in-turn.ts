/** Runs at most so many pieces of work at once; the others wait, and are begun in the order in which they came. */
export function inTurn(limit: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      // The place is handed on, so that nobody who comes now goes before who waits.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
