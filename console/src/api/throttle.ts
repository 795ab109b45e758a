/** Runs `work` at most once per interval. Requests during an interval lead to one more run at its end. */
export function throttle(intervalMs: number, work: () => void): { request: () => void; stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let isRequested = false;
  const run = (): void => {
    isRequested = false;
    timer = setTimeout(() => {
      timer = null;
      if (isRequested) run();
    }, intervalMs);
    work();
  };
  return {
    request: () => {
      if (timer === null) run();
      else isRequested = true;
    },
    stop: () => {
      if (timer !== null) clearTimeout(timer);
    },
  };
}
