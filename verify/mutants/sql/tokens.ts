/** A SQL token outside comments. */
export interface Token {
  kind: 'word' | 'number' | 'string' | 'operator';
  /** In lower case if it is a word. */
  text: string;
  start: number;
  end: number;
  /** Number of open brackets and `case`s around the token. A bracket, a `case` and its `end` have the depth outside them. */
  depth: number;
}

const COMMENT = /--[^\n]*|\/\*[\s\S]*?\*\//y;
const STRING = /'(?:[^']|'')*'/y;
const WORD = /[A-Za-z_][A-Za-z0-9_]*/y;
const NUMBER = /\d+(?:\.\d+)?/y;
const OPERATOR = /\$\$|:=|::|->>|->|<=|>=|<>|!=|\|\||=>|[^\s]/y;

/** Tokenizes SQL, including function bodies between `$$`. Skips comments. A string is a single token. */
export function tokensOf(source: string): Token[] {
  const tokens: Token[] = [];
  const open: string[] = [];
  let at = 0;
  const next = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    return pattern.exec(source)?.[0] ?? null;
  };
  while (at < source.length) {
    const skipped = next(/\s+/y) ?? next(COMMENT);
    if (skipped !== null) {
      at += skipped.length;
      continue;
    }
    const { kind, text } = readToken(next);
    if (text === ')' || (text === 'end' && open.at(-1) === 'case')) open.pop();
    tokens.push({ kind, text, start: at, end: at + text.length, depth: open.length });
    if (text === '(' || text === 'case') open.push(text);
    at += text.length;
  }
  return tokens;
}

function readToken(next: (pattern: RegExp) => string | null): Pick<Token, 'kind' | 'text'> {
  const string = next(STRING);
  if (string !== null) return { kind: 'string', text: string };
  const word = next(WORD);
  if (word !== null) return { kind: 'word', text: word.toLowerCase() };
  const number = next(NUMBER);
  if (number !== null) return { kind: 'number', text: number };
  return { kind: 'operator', text: next(OPERATOR) ?? '' };
}
