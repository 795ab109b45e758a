const EVERY_MS = 15_000;

/** Says every fifteen seconds how far a long piece of work is, and how fast it went since the last time. */
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
