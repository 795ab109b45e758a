/** Renders the campaign's progress as text. */
export interface Progress {
  elapsedMs: number;
  contacts: number;
  /** Calls that the platform requested from the carrier. */
  dialled: number;
  /** Calls that are ringing or talking, according to the carrier. */
  live: number;
  /** Contacts that were reached. */
  done: number;
  /** Calls to a contact after its first one. */
  retried: number;
  /** Contacts that were not reached and have no attempts left. */
  failed: number;
  /** Contacts that hold a line. Higher than `live` while the platform doesn't know yet that some calls have ended. */
  linesBusy: number;
  lines: number;
  webhooks: number;
  waiting: Waiting;
}

const MAX_BAR = 50;
const INDENT = '  ';

/** Returns one line, for logs and pipes. */
function plainLine(progress: Progress): string {
  const { contacts, done, failed, waiting } = progress;
  const over = done + failed;
  const wait = over < contacts ? `, ${waitingText(waiting)}` : '';
  return `${seconds(progress).padStart(5)}  ${String(over).padStart(2)} of ${contacts} contacts${wait}: ${figures(progress).join(', ')}`;
}

/** Returns the lines for a terminal. Their number and maximum length are fixed, because they are redrawn in place. */
function terminalView(progress: Progress, style: Style, columns: number): string[] {
  const { contacts, done, failed, waiting } = progress;
  const over = done + failed;
  const label = ` ${over} of ${contacts} contacts  ${seconds(progress)}`;
  const width = Math.max(0, Math.min(MAX_BAR, columns - label.length - INDENT.length - 1));
  const filled = Math.round((over / contacts) * width);
  const all = figures(progress);
  const cut = (line: string): string => `${INDENT}${line}`.slice(0, Math.max(0, columns - 1));
  return [
    `${INDENT}${style.good('█'.repeat(filled))}${style.dim('░'.repeat(width - filled))}${label}`,
    cut(over < contacts ? waitingText(waiting) : ''),
    cut(all.slice(0, 5).join(', ')),
    cut(all.slice(5).join(', ')),
  ];
}

const figures = ({
  dialled,
  live,
  done,
  retried,
  failed,
  linesBusy,
  lines,
  webhooks,
}: Progress): string[] => [
  `dialled ${dialled}`,
  `live ${live}`,
  `done ${done}`,
  `retried ${retried}`,
  `failed ${failed}`,
  `lines busy ${linesBusy}/${lines}`,
  `webhooks delivered ${webhooks}`,
];

const seconds = ({ elapsedMs }: Progress): string => `${Math.round(elapsedMs / 1000)} s`;

/** Calls and dials that an unfinished campaign is waiting for. They explain why "59 of 60 contacts" is shown for a while. */
interface Waiting {
  /** Why the campaign is paused or cancelled; null while it dials. */
  pausedBecause: string | null;
  /** Calls that are ringing or talking, according to the carrier. */
  live: number;
  /** Contacts that can be dialled now. */
  ready: number;
  /** Time in ms until each contact that waits for a redial or callback can be dialled. Always above 0. */
  laterMs: readonly number[];
}

/** `contacts` holds the next step of each contact. `at` is null if the step depends on a free line or on an operator. */
export function waitingOf(
  contacts: readonly { action: string; at: string | null }[],
  campaign: { pausedBecause: string | null; live: number },
): Waiting {
  const dueMs = contacts
    .filter(({ action }) => action !== 'none')
    .map(({ at }) => (at === null ? 0 : Math.max(0, Date.parse(at) - Date.now())));
  const laterMs = dueMs.filter((ms) => ms > 0);
  return { ...campaign, ready: dueMs.length - laterMs.length, laterMs };
}

export function waitingText({ pausedBecause, live, ready, laterMs }: Waiting): string {
  if (pausedBecause !== null) return pausedBecause;
  const parts = [
    ...(live > 0 ? [`live calls (${live})`] : []),
    ...(live === 0 && ready > 0 ? [`dials (${ready})`] : []),
    ...(laterMs.length > 0
      ? [`redials and callbacks (${laterMs.length}, the next in ${Math.ceil(Math.min(...laterMs) / 1000)} s)`]
      : []),
  ];
  return `waiting for ${parts.join(', ') || 'the end of the campaign'}`;
}

export interface ProgressView {
  show(progress: Progress): void;
  /** Shows the final state immediately, regardless of the rate limit. */
  end(progress: Progress): void;
}

const PLAIN_EVERY_MS = 2_000;

/** Redraws in place on a terminal, and writes a line every two seconds to any other output. */
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

export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  good(text: string): string;
  bad(text: string): string;
}

const plain = (text: string): string => text;
const ansi = (on: number, off: number) => (text: string) => `\x1b[${on}m${text}\x1b[${off}m`;

const PLAIN_STYLE: Style = { bold: plain, dim: plain, good: plain, bad: plain };
const COLOURED: Style = { bold: ansi(1, 22), dim: ansi(2, 22), good: ansi(32, 39), bad: ansi(31, 39) };

/** Uses colours only on a terminal, and respects NO_COLOR (https://no-color.org). */
export function styleFor(out: { isTTY?: boolean }, environment: NodeJS.ProcessEnv): Style {
  return out.isTTY === true && !environment.NO_COLOR && environment.TERM !== 'dumb' ? COLOURED : PLAIN_STYLE;
}
