/** Renders the campaign's progress as text. */
import type { Style } from './style';
import { waitingText, type Waiting } from './waiting';

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

const FULL = '█';
const EMPTY = '░';
const MAX_BAR = 50;
const INDENT = '  ';

/** Returns one line, for logs and pipes. */
export function plainLine(progress: Progress): string {
  const { contacts, dialled, live, done, retried, failed, linesBusy, lines, webhooks } = progress;
  const over = done + failed;
  const waiting = over < contacts ? `, ${waitingText(progress.waiting)}` : '';
  return (
    `${seconds(progress).padStart(5)}  ${String(over).padStart(2)} of ${contacts} contacts${waiting}: ` +
    `dialled ${dialled}, live ${live}, done ${done}, retried ${retried}, failed ${failed}, ` +
    `lines busy ${linesBusy}/${lines}, webhooks delivered ${webhooks}`
  );
}

/**
 * Returns a few lines for a terminal. No line is longer than `columns`, because the caller redraws them in place; below 40 columns no bar
 * fits.
 */
export function terminalView(progress: Progress, style: Style, columns: number): string[] {
  const { contacts, dialled, live, done, retried, failed, linesBusy, lines, webhooks, waiting } = progress;
  const over = done + failed;
  const label = ` ${over} of ${contacts} contacts  ${seconds(progress)}`;
  const width = Math.min(MAX_BAR, columns - label.length - INDENT.length - 1);
  const share = ` ${linesBusy} of ${lines}`;
  return [
    `${INDENT}${bar(over, contacts, width, style)}${label}`,
    // This line stays even if it is empty, because the caller redraws the same number of lines.
    over < contacts ? cut(`${INDENT}${waitingText(waiting)}`, columns) : '',
    ...rows(
      [
        figure('dialled', dialled, style),
        figure('live', live, style),
        figure('done', done, style),
        figure('retried', retried, style),
        figure('failed', failed, style),
      ],
      columns,
    ),
    ...rows(
      [
        {
          text: `${style.dim('lines busy')} ${bar(linesBusy, lines, lines, style)}${share.padEnd(12)}`,
          length: 'lines busy '.length + lines + Math.max(12, share.length),
        },
        figure('webhooks delivered', webhooks, style),
      ],
      columns,
    ),
  ];
}

/** `length` is the visible length, without colour codes. */
type Cell = { text: string; length: number };

function figure(name: string, value: number, style: Style): Cell {
  const digits = String(value).padEnd(4);
  return { text: `${style.dim(name)} ${style.bold(digits)}`, length: name.length + 1 + digits.length };
}

/** Puts the cells side by side while they fit. */
function rows(cells: readonly Cell[], columns: number): string[] {
  const made: Cell[] = [];
  for (const { text, length } of cells) {
    const last = made.at(-1);
    if (last !== undefined && last.length + 1 + length < columns) {
      made[made.length - 1] = { text: `${last.text} ${text}`, length: last.length + 1 + length };
    } else made.push({ text: `${INDENT}${text}`, length: INDENT.length + length });
  }
  return made.map(({ text }) => text);
}

function bar(part: number, whole: number, columns: number, style: Style): string {
  const width = Math.max(0, columns);
  const share = whole === 0 ? 0 : Math.min(1, Math.max(0, part / whole));
  const filled = Math.round(share * width);
  return style.good(FULL.repeat(filled)) + style.dim(EMPTY.repeat(width - filled));
}

const cut = (line: string, columns: number): string =>
  line.length < columns ? line : `${line.slice(0, Math.max(0, columns - 2))}…`;

const seconds = ({ elapsedMs }: Progress): string => `${Math.round(elapsedMs / 1000)} s`;
