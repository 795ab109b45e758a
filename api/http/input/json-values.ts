const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const QUOTE = 0x22;
const COMMA = 0x2c;
const OPENING_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
const LAST_BLANK = 0x20;
const IS_OF_NUMBER = Uint8Array.from({ length: 128 }, (_none, code) =>
  '0123456789+-.eE'.includes(String.fromCharCode(code)) ? 1 : 0,
);

export interface JsonScan {
  /** Entries of lists and fields of objects, at any depth. */
  values: number;
  /** Whether a number loses digits when it is parsed. */
  losesDigits: boolean;
}

/**
 * What a body of JSON text holds, without parsing it. A mebibyte takes some 6 ms, where a parser needs up to 110 ms for the objects
 * in it. The scan ends with more than `most` values. For text that is not JSON the result means nothing.
 */
export function scanJson(text: string, most: number): JsonScan {
  let values = 0;
  let losesDigits = false;
  // After an opening bracket: what comes next is its first value, unless it is closed.
  let isOpened = false;
  for (let at = 0; at < text.length && values <= most; at += 1) {
    const code = text.charCodeAt(at);
    if (code <= LAST_BLANK) continue;
    if (isOpened && code !== CLOSING_BRACKET && code !== CLOSING_BRACE) values += 1;
    isOpened = code === OPENING_BRACKET || code === OPENING_BRACE;
    if (code === COMMA) values += 1;
    else if (code === QUOTE) at = endOfText(text, at + 1);
    else if (beginsNumber(code)) {
      const end = endOfNumber(text, at + 1);
      losesDigits ||= changesAsNumber(text.slice(at, end));
      at = end - 1;
    }
  }
  return { values, losesDigits };
}

export const countJsonValues = (text: string): number => scanJson(text, Infinity).values;

/** The places of the numbers that lose digits when they are parsed, at most so many. The text must be JSON. */
export function lossyNumbers(text: string, most: number): (string | number)[][] {
  const found: (string | number)[][] = [];
  /** The key or place at each level; a key that is yet to come is null. */
  const path: (string | number | null)[] = [];
  for (let at = 0; at < text.length && found.length < most; at += 1) {
    const code = text.charCodeAt(at);
    const place = path.at(-1);
    if (code === OPENING_BRACKET) path.push(0);
    else if (code === OPENING_BRACE) path.push(null);
    else if (code === CLOSING_BRACKET || code === CLOSING_BRACE) path.pop();
    else if (code === COMMA) path[path.length - 1] = typeof place === 'number' ? place + 1 : null;
    else if (code === QUOTE) {
      const end = endOfText(text, at + 1);
      if (place === null) path[path.length - 1] = keyOf(text.slice(at, end + 1));
      at = end;
    } else if (beginsNumber(code)) {
      const end = endOfNumber(text, at + 1);
      if (changesAsNumber(text.slice(at, end))) found.push(path.map((step) => step ?? ''));
      at = end - 1;
    }
  }
  return found;
}

const MAX_KEY_LENGTH = 100;

/** Cut, because the key becomes part of a response. */
const keyOf = (written: string): string => String(JSON.parse(written)).slice(0, MAX_KEY_LENGTH);

const beginsNumber = (code: number): boolean => code === MINUS || (code >= ZERO && code <= NINE);

function endOfNumber(text: string, from: number): number {
  let at = from;
  while (at < text.length && IS_OF_NUMBER[text.charCodeAt(at)] === 1) at += 1;
  return at;
}

/** A double keeps each decimal of so many digits. */
const SURE_DIGITS = 15;
const EXPONENT = /e/i;
const NUMBER = /^(-?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i;

/** A double prints as the shortest decimal that it stands for, so a number that prints as another one has changed. */
function changesAsNumber(written: string): boolean {
  if (written.length <= SURE_DIGITS && !EXPONENT.test(written)) return false;
  return decimal(written) !== decimal(String(Number(written)));
}

/** The same text for each spelling of a number: its sign, its digits and their place. `1e2` and `100.0` are one. */
function decimal(written: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = NUMBER.exec(written) ?? [];
  const all = whole + fraction;
  let first = 0;
  while (all[first] === '0') first += 1;
  if (first === all.length) return '0';
  let last = all.length;
  while (all[last - 1] === '0') last -= 1;
  return `${sign}${all.slice(first, last)}e${whole.length - first + Number(exponent)}`;
}

/** Where the closing quote stands. */
function endOfText(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) break;
    if (code === BACKSLASH) at += 1;
  }
  return at;
}
