const EVERY_MS = 15_000;

/** Prints the progress of long work every fifteen seconds, with the rate since the previous line. */
export async function whileReporting<T>(
  say: (line: string) => void,
  total: number,
  done: () => number,
  work: () => Promise<T>,
): Promise<T> {
  let last = done();
  const timer = setInterval(() => {
    const now = done();
    const perSecond = ((now - last) / EVERY_MS) * 1000;
    say(`  ${now} of ${total} calls are over and delivered, ${perSecond.toFixed(1)} a second`);
    last = now;
  }, EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
