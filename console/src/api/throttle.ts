/** Throttles `work` to once every `everyMs`. If `ask` is called in between, runs it once more at the end of that time. */
export function spaced(everyMs: number, work: () => void): { ask: () => void; stop: () => void } {
  let resting: ReturnType<typeof setTimeout> | null = null;
  let isAsked = false;
  const run = (): void => {
    isAsked = false;
    resting = setTimeout(() => {
      resting = null;
      if (isAsked) run();
    }, everyMs);
    work();
  };
  return {
    ask: () => {
      if (resting === null) run();
      else isAsked = true;
    },
    stop: () => {
      if (resting !== null) clearTimeout(resting);
    },
  };
}
