/** How the campaign stands, as pictures made of text. */
import type { Style } from './style';
import { waitingText, type Waiting } from './waiting';

export interface Progress {
  elapsedMs: number;
  contacts: number;
  /** Calls that the carrier was asked for. */
  dialled: number;
  /** Calls that ring or talk, as the carrier counts them. */
  live: number;
  /** Contacts that were reached. */
  done: number;
  /** Calls after a contact's first. */
  retried: number;
  /** Contacts that were not reached, with no attempt left. */
  failed: number;
  /** Contacts that hold a line: more than `live` while an end is not known yet. */
  linesBusy: number;
  lines: number;
  webhooks: number;
  waiting: Waiting;
}

const FULL = '█';
const EMPTY = '░';
const MAX_BAR = 50;
const INDENT = '  ';

/** One line, for logs and pipes. */
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
 * A few lines for a terminal; the caller draws them over the ones before, so none may be longer than `columns`. Below 40 columns no
 * bar fits.
 */
export function terminalView(progress: Progress, style: Style, columns: number): string[] {
  const { contacts, dialled, live, done, retried, failed, linesBusy, lines, webhooks, waiting } = progress;
  const over = done + failed;
  const label = ` ${over} of ${contacts} contacts  ${seconds(progress)}`;
  const width = Math.min(MAX_BAR, columns - label.length - INDENT.length - 1);
  const share = ` ${linesBusy} of ${lines}`;
  return [
    `${INDENT}${bar(over, contacts, width, style)}${label}`,
    // A line of its own also where nothing is waited for: the caller draws as many as before.
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

/** `length` is as seen: colours take no place. */
type Cell = { text: string; length: number };

function figure(name: string, value: number, style: Style): Cell {
  const digits = String(value).padEnd(4);
  return { text: `${style.dim(name)} ${style.bold(digits)}`, length: name.length + 1 + digits.length };
}

/** Side by side as far as they fit. */
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
