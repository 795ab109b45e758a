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
