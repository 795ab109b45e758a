import { plainLine, terminalView, type Progress } from './progress';
import type { Style } from './style';

export interface ProgressView {
  show(progress: Progress): void;
  /** Shows the final state immediately, regardless of the rate limit. */
  end(progress: Progress): void;
}

const PLAIN_EVERY_MS = 2_000;

/** Redraws in place on a terminal. Otherwise writes a line every two seconds. */
export function progressView(out: NodeJS.WriteStream, style: Style): ProgressView {
  return out.isTTY ? drawn(out, style) : written(out);
}

function drawn(out: NodeJS.WriteStream, style: Style): ProgressView {
  let shown = 0;
  const show = (progress: Progress) => {
    const lines = terminalView(progress, style, out.columns || 80);
    const up = shown === 0 ? '' : `\x1b[${shown}A`;
    out.write(`${up}${lines.map((line) => `\r\x1b[K${line}\n`).join('')}`);
    shown = lines.length;
  };
  return { show, end: show };
}

function written(out: NodeJS.WriteStream): ProgressView {
  let lastMs = -Infinity;
  const write = (progress: Progress) => {
    lastMs = progress.elapsedMs;
    out.write(`${plainLine(progress)}\n`);
  };
  return {
    show: (progress) => {
      if (progress.elapsedMs - lastMs >= PLAIN_EVERY_MS) write(progress);
    },
    end: write,
  };
}
