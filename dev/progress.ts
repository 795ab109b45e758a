type ProgressEvent = {
  /** The operation as shown to the user, such as "building the Temporal CLI with go, about 3 minutes". */
  what: string;
  /** Progress so far, if known, such as "12.0 of 34.1 MB". */
  detail?: string;
  elapsedMs: number;
  state: 'note' | 'running' | 'done' | 'failed';
};

export type OnProgress = (event: ProgressEvent) => void;

export const silent: OnProgress = () => {};

export function note(onProgress: OnProgress, what: string): void {
  onProgress({ what, elapsedMs: 0, state: 'note' });
}

const SHOWN_AFTER_MS = 1000;

/** Reports the progress of `work` once a second if it takes more than a second. `work` sets the detail. */
export async function during<T>(
  onProgress: OnProgress,
  what: string,
  work: (show: (detail: string) => void) => Promise<T>,
): Promise<T> {
  const startedAt = Date.now();
  let shown = false;
  let detail: string | undefined;
  const report = (state: ProgressEvent['state']) => {
    onProgress({ what, ...(detail !== undefined && { detail }), elapsedMs: Date.now() - startedAt, state });
  };
  const timer = setInterval(() => {
    shown = true;
    report('running');
  }, SHOWN_AFTER_MS);
  try {
    const result = await work((now) => (detail = now));
    if (shown) report('done');
    return result;
  } catch (error) {
    if (shown) report('failed');
    throw error;
  } finally {
    clearInterval(timer);
  }
}

const PLAIN_EVERY_MS = 15_000;

/** Prints progress. A terminal gets one line that is redrawn every second; other outputs get a line at the start and every 15 s. */
export function printProgress(out: NodeJS.WriteStream): OnProgress {
  const running = new Map<string, ProgressEvent>();
  const lastPrinted = new Map<string, number>();
  const seconds = ({ what, detail, elapsedMs }: ProgressEvent) =>
    `${what}${detail === undefined ? '' : `, ${detail}`} … ${Math.round(elapsedMs / 1000)} s`;
  const redraw = () => {
    if (running.size === 0) return;
    const line = [...running.values()].map(seconds).join(' | ');
    out.write(line.slice(0, (out.columns || 80) - 1));
  };
  const wipe = () => {
    if (out.isTTY) out.write('\r\x1b[K');
  };
  const plain = (event: ProgressEvent) => {
    if (event.elapsedMs - (lastPrinted.get(event.what) ?? -PLAIN_EVERY_MS) < PLAIN_EVERY_MS) return;
    lastPrinted.set(event.what, event.elapsedMs);
    out.write(`${seconds(event)}\n`);
  };
  return (event) => {
    wipe();
    if (event.state === 'running') {
      if (out.isTTY) running.set(event.what, event);
      else plain(event);
    } else {
      running.delete(event.what);
      lastPrinted.delete(event.what);
      const end = event.state === 'note' ? event.what : `${seconds(event)}, ${event.state}`;
      out.write(`${end}\n`);
    }
    if (out.isTTY) redraw();
  };
}
