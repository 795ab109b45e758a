/**
 * Finds the conditions of an SQL function and proposes an edit for each. A tokenizer and these rules are enough for `db/functions`; the
 * packaged Postgres has no parser. If an edit isn't valid SQL, Postgres rejects it and the mutant is dropped.
 */
import { excerpt, type Edit } from '../mutant';
import { tokensOf, type Token } from './tokens';

const SWAPS: Record<string, string> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '=': '<>',
  '<>': '=',
  and: 'or',
  or: 'and',
  least: 'greatest',
  greatest: 'least',
};

const COMPARISONS = new Set(['<', '<=', '>', '>=', '=', '<>']);

/** Keywords that begin or end a condition or an operand at the same depth. */
const BEGINS = new Set(
  'if elsif while when where on then else return select by having := , ; $$'.split(' ').concat('loop', 'set'),
);
const ENDS = new Set(
  'then loop order group having limit returning for union on where join left from into as else end when , ; $$'.split(
    ' ',
  ),
);

/** Keywords before a condition, and possible replacements for the whole condition. */
const WHOLE: Record<string, readonly string[]> = {
  if: ['true', 'false'],
  elsif: ['true', 'false'],
  when: ['true', 'false'],
  while: ['false'],
  where: ['true'],
};

export function sqlEdits(source: string): Edit[] {
  const tokens = tokensOf(source);
  const [first, last] = bodyOf(tokens);
  return tokens.flatMap((_token, index) => {
    const isBody = index > first && index < last;
    if (!isBody && (index < last || !isInTriggerCondition(tokens, index))) return [];
    if (isInRaise(tokens, index)) return [];
    return editsAt({ source, tokens }, index);
  });
}

interface Sql {
  source: string;
  tokens: Token[];
}

function editsAt({ source, tokens }: Sql, index: number): Edit[] {
  const token = tokens[index];
  if (token === undefined || token.kind === 'string') return [];
  const text = (offset: number): string => tokens[index + offset]?.text ?? '';
  const replace = (by: string, upTo = index): Edit => edit(source, token.start, tokens[upTo]?.end ?? 0, by);
  if (token.kind === 'number')
    return isBoundary(tokens, index) ? [replace(String(Number(token.text) + 1))] : [];
  switch (token.text) {
    case 'is': {
      if (text(1) === 'not') return [replace('is', index + 1)];
      return [replace('is not')];
    }
    case 'not':
      if (text(-1) === 'is' || text(1) === 'null') return [];
      return [edit(source, token.start, tokens[index + 1]?.start ?? token.end, '', 'not removed')];
    case 'exists':
      return text(-1) === 'not' || text(-1) === 'if' ? [] : [replace('not exists')];
    case 'in':
      return text(-1) === 'not' || text(1) !== '(' ? [] : [replace('not in')];
    case 'and':
    case 'or':
      if (isOfBetween(tokens, index)) return [];
      return [replace(SWAPS[token.text] ?? ''), ...operandEdits({ source, tokens }, index)];
    case 'if':
    case 'elsif':
    case 'when':
    case 'while':
    case 'where':
      return wholeEdits({ source, tokens }, index);
    default: {
      const swap = SWAPS[token.text];
      return swap === undefined || isAssignment(tokens, index) ? [] : [replace(swap)];
    }
  }
}

/** Drops an operand of `and` or `or` by replacing it with a neutral value. */
function operandEdits({ source, tokens }: Sql, index: number): Edit[] {
  return [operandBefore(tokens, index), operandAfter(tokens, index)].flatMap((operand) => {
    if (operand === null) return [];
    const [first, last] = operand;
    const joins = [tokens[first - 1]?.text, tokens[last + 1]?.text];
    const neutral = joins.includes('and') ? 'true' : 'false';
    return [edit(source, tokens[first]?.start ?? 0, tokens[last]?.end ?? 0, neutral)];
  });
}

function wholeEdits({ source, tokens }: Sql, index: number): Edit[] {
  const keyword = tokens[index]?.text ?? '';
  if (tokens[index - 1]?.text === 'end') return [];
  const condition = operandAfter(tokens, index, true);
  if (condition === null) return [];
  const [first, last] = condition;
  const isCompound = tokens
    .slice(first, last + 1)
    .some(({ text, depth }) => (text === 'and' || text === 'or') && depth === tokens[index]?.depth);
  // The operands of a compound `where` condition are dropped one at a time instead.
  if (keyword === 'where' && isCompound) return [];
  const [start, end] = [tokens[first]?.start ?? 0, tokens[last]?.end ?? 0];
  return (WHOLE[keyword] ?? []).map((by) => edit(source, start, end, by));
}

/** Indexes of the first and the last token. */
type Span = readonly [number, number];

function operandBefore(tokens: Token[], index: number): Span | null {
  const depth = tokens[index]?.depth ?? 0;
  let first = index;
  while (first > 0) {
    const before = tokens[first - 1];
    if (before === undefined || before.depth < depth) break;
    if (before.depth === depth && (isJoin(tokens, first - 1) || isBegin(tokens, first - 1))) break;
    first -= 1;
  }
  return first === index ? null : [first, index - 1];
}

function operandAfter(tokens: Token[], index: number, pastJoins = false): Span | null {
  const depth = tokens[index]?.depth ?? 0;
  let last = index;
  while (last < tokens.length - 1) {
    const after = tokens[last + 1];
    if (after === undefined || after.depth < depth) break;
    if (after.depth === depth && ((!pastJoins && isJoin(tokens, last + 1)) || isEnd(tokens, last + 1))) break;
    last += 1;
  }
  return last === index ? null : [index + 1, last];
}

const isJoin = (tokens: Token[], index: number): boolean =>
  tokens[index]?.text === 'or' || (tokens[index]?.text === 'and' && !isOfBetween(tokens, index));

const isBegin = (tokens: Token[], index: number): boolean =>
  BEGINS.has(tokens[index]?.text ?? '') && !isQuoted(tokens, index);

const isEnd = (tokens: Token[], index: number): boolean =>
  ENDS.has(tokens[index]?.text ?? '') && !isQuoted(tokens, index) && tokens[index - 1]?.text !== 'distinct';

const isQuoted = (tokens: Token[], index: number): boolean => tokens[index]?.kind === 'string';

function isOfBetween(tokens: Token[], index: number): boolean {
  const depth = tokens[index]?.depth;
  for (let at = index - 1; at >= 0; at -= 1) {
    const { text, depth: itsDepth } = tokens[at] ?? { text: ';', depth: -1 };
    if (itsDepth !== depth) continue;
    if (text === 'between') return true;
    if (text === 'and' || text === 'or' || text === ';') return false;
  }
  return false;
}

/** Returns true for an `=` that isn't a comparison: `set a = 1, b = 2`, a named argument or a default. */
function isAssignment(tokens: Token[], index: number): boolean {
  const token = tokens[index];
  if (token?.text !== '=') return false;
  const before = tokens[index - 2]?.text;
  if (before === 'set') return true;
  if (before !== ',') return false;
  for (let at = index - 2; at >= 0; at -= 1) {
    const { text, depth } = tokens[at] ?? { text: ';', depth: -1 };
    if (depth < token.depth || (depth === token.depth && (text === ';' || text === 'where'))) return false;
    if (depth === token.depth && text === 'set') return true;
    if (depth === token.depth && text === 'select') return false;
  }
  return false;
}

/** Returns true for a number that is compared, or that is a bound in `least` or `greatest`. */
function isBoundary(tokens: Token[], index: number): boolean {
  const around = [tokens[index - 1]?.text ?? '', tokens[index + 1]?.text ?? ''];
  if (around.some((text) => COMPARISONS.has(text))) return !isAssignment(tokens, index - 1);
  if (!['(', ','].includes(around[0] ?? '') || !([')', ','] as string[]).includes(around[1] ?? ''))
    return false;
  const depth = tokens[index]?.depth ?? 0;
  for (let at = index - 1; at > 0; at -= 1) {
    if ((tokens[at]?.depth ?? 0) < depth) return ['least', 'greatest'].includes(tokens[at - 1]?.text ?? '');
  }
  return false;
}

function bodyOf(tokens: Token[]): Span {
  const quotes = tokens.flatMap(({ text }, index) => (text === '$$' ? [index] : []));
  return [quotes[0] ?? tokens.length, quotes[1] ?? tokens.length];
}

/** Returns true in the condition of `create trigger … when (…)`, which follows the body. */
function isInTriggerCondition(tokens: Token[], index: number): boolean {
  const when = lastBefore(tokens, index, ['when', '$$']);
  return tokens[when]?.text === 'when' && (tokens[index]?.depth ?? 0) > (tokens[when]?.depth ?? 0);
}

const isInRaise = (tokens: Token[], index: number): boolean =>
  tokens[lastBefore(tokens, index, ['raise', ';'])]?.text === 'raise';

/** Returns -1 if none of the tokens is found. */
function lastBefore(tokens: Token[], index: number, texts: readonly string[]): number {
  let at = index - 1;
  while (at >= 0 && !texts.includes(tokens[at]?.text ?? '')) at -= 1;
  return at;
}

function edit(source: string, start: number, end: number, replacement: string, change?: string): Edit {
  const said = change ?? `${excerpt(source.slice(start, end))} → ${replacement}`;
  return { start, end, replacement, change: said };
}
