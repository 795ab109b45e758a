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
const SPACE = 0x20;
const IS_OF_NUMBER = Uint8Array.from({ length: 128 }, (_none, code) =>
  '0123456789+-.eE'.includes(String.fromCharCode(code)) ? 1 : 0,
);

interface JsonScan {
  /** Number of array entries and object fields at any depth. */
  values: number;
  /** True if a number loses digits when parsed. */
  losesDigits: boolean;
}

/**
 * Scans JSON text without parsing it, in about 6 ms per MiB, while parsing can take 110 ms. Stops after more than `max` values. The result
 * is meaningless for text that isn't JSON.
 */
export function scanJson(text: string, max: number): JsonScan {
  let values = 0;
  let losesDigits = false;
  // True after an opening bracket: the next character starts the first value, unless it closes the bracket.
  let isOpened = false;
  for (let at = 0; at < text.length && values <= max; at += 1) {
    const code = text.charCodeAt(at);
    if (code <= SPACE) continue;
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

/** Returns the paths of up to `max` numbers that lose digits when parsed. The text must be valid JSON. */
export function lossyNumbers(text: string, max: number): (string | number)[][] {
  const found: (string | number)[][] = [];
  /** Key or index at each level; null until the key of an object's next field is read. */
  const path: (string | number | null)[] = [];
  for (let at = 0; at < text.length && found.length < max; at += 1) {
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

/** Truncated because the key becomes part of a response. */
const keyOf = (written: string): string => String(JSON.parse(written)).slice(0, MAX_KEY_LENGTH);

const beginsNumber = (code: number): boolean => code === MINUS || (code >= ZERO && code <= NINE);

function endOfNumber(text: string, from: number): number {
  let at = from;
  while (at < text.length && IS_OF_NUMBER[text.charCodeAt(at)] === 1) at += 1;
  return at;
}

/** Any decimal with this many digits survives the conversion to a double and back. */
const SAFE_DIGITS = 15;
const EXPONENT = /e/i;
const NUMBER = /^(-?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i;

/** A double is printed as its shortest decimal, so a number that prints differently has lost digits. */
function changesAsNumber(written: string): boolean {
  if (written.length <= SAFE_DIGITS && !EXPONENT.test(written)) return false;
  return decimal(written) !== decimal(String(Number(written)));
}

/** Normalizes a number to sign, digits and exponent, so that `1e2` and `100.0` are equal. */
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

/** Returns the index of the closing quote. */
function endOfText(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) break;
    if (code === BACKSLASH) at += 1;
  }
  return at;
}
