/** Reads from a row of the interface which values the service must accept and reject, and what the default is. */
import type { Item } from './items';

export interface Values {
  accepted: unknown[];
  refused: unknown[];
}

const WRONG_TYPES: Readonly<Record<string, unknown[]>> = {
  string: [5, true, {}, ['x']],
  integer: ['5', true, 6.5, {}],
  number: ['0.7', true, []],
  boolean: ['true', 1, {}],
  object: ['x', 5, ['x'], true],
  array: ['x', 5, {}],
  'array of string': ['x', [5], {}],
  'array of object': ['x', [5], ['x'], {}],
};

const PLAIN: Readonly<Record<string, unknown[]>> = {
  string: ['some text', 'नमस्ते {{name}}', 'x'.repeat(200)],
  integer: [7],
  number: [0.7],
  boolean: [true, false],
  object: [{}, { key: 'value', other: 5 }],
  array: [[]],
  'array of string': [[], ['one', 'two']],
  'array of object': [[]],
};

/** Throws for an unknown type, so that a new one isn't skipped. */
export function valuesOf(type: string, rule: string): Values {
  const plain = PLAIN[type];
  const wrong = WRONG_TYPES[type];
  if (plain === undefined || wrong === undefined) throw new Error(`no values for the type "${type}"`);
  const special = rangeValues(type, rule) ?? phoneValues(type, rule) ?? choiceValues(type, rule);
  const length = longestOf(rule);
  const accepted = special?.accepted ?? (length === null ? plain : ['x'.repeat(length), '😀'.repeat(length)]);
  const tooLong = length === null ? [] : ['x'.repeat(length + 1)];
  return { accepted, refused: [...wrong, ...(special?.refused ?? []), ...tooLong] };
}

export interface Range {
  min: number;
  max: number;
}

/** Matches `0.6-1.4`, but not the time range `02:30-14:29`. */
export function rangeOf(rule: string): Range | null {
  const match = /(?<![\d:.-])(\d+(?:\.\d+)?)-(\d+(?:,\d{3})*(?:\.\d+)?)(?![\d:-])/.exec(rule);
  if (match === null) return null;
  return { min: Number(match[1]), max: Number(match[2]?.replaceAll(',', '')) };
}

export function timeRangeOf(rule: string): { from: string; to: string } {
  const match = /(\d{2}:\d{2})-(\d{2}:\d{2})/.exec(rule);
  if (match === null) throw new Error(`no window in "${rule}"`);
  return { from: match[1] ?? '', to: match[2] ?? '' };
}

/** Reads the number in `max 200` or `max 255 characters`. */
export function maxOf(rule: string): number {
  const match = /max (\d+)/.exec(rule);
  if (match === null) throw new Error(`no maximum in "${rule}"`);
  return Number(match[1]);
}

const longestOf = (rule: string): number | null => (/max \d+ characters/.test(rule) ? maxOf(rule) : null);

function rangeValues(type: string, rule: string): Values | null {
  const range = type === 'integer' || type === 'number' ? rangeOf(rule) : null;
  if (range === null) return null;
  const step = type === 'integer' ? 1 : 0.001;
  const { min, max } = range;
  return {
    accepted: [min, (min + max) / 2, max].map(type === 'integer' ? Math.floor : Number),
    refused: [min - step, max + step, -1, 1e9],
  };
}

function phoneValues(type: string, rule: string): Values | null {
  if (!rule.includes('E.164')) return null;
  if (type === 'array of string') {
    return { accepted: [[], ['+918012345678', '+918012345679']], refused: [['8012345678'], ['+0123'], ['']] };
  }
  const none = /empty string/.test(rule) ? [''] : [];
  return { accepted: ['+918012345678', ...none], refused: ['8012345678', '+91 80', '+0123456789'] };
}

/** A rule that begins with a word in backticks lists the allowed words. */
function choiceValues(type: string, rule: string): Values | null {
  if (type !== 'string' || !rule.startsWith('`')) return null;
  return { accepted: wordsOf(rule.split(/;| when /)[0] ?? ''), refused: ['no-such-word', ''] };
}

export const wordsOf = (text: string): string[] =>
  [...text.matchAll(/`([^`]+)`/g)].map(([, word]) => word ?? '');

/** Returns undefined if the rule states no default. */
export function defaultOf(rule: string): unknown {
  const marked = /`([^`]+)` \(default\)/.exec(rule)?.[1];
  if (marked !== undefined) return marked;
  if (/default empty/.test(rule)) return '';
  const [, quoted, plain] = /(?:^|[;,] )default (?:`([^`]*)`|([\w.]+))/.exec(rule) ?? [];
  if (quoted !== undefined) return quoted.startsWith('{') ? JSON.parse(quoted) : quoted;
  if (plain !== undefined) return JSON.parse(plain);
  if (/^(`\{\}`|null)/.test(rule)) return JSON.parse(/^`?([^`;]+)/.exec(rule)?.[1] ?? '');
  return undefined;
}

export interface InlineField {
  name: string;
  rule: string;
}

/** Returns the fields that a sentence lists after its colon: `name` (rule), `other` and `third` (rule of both). */
export function inlineFields(text: string): InlineField[] {
  const list = text.slice(text.indexOf(':') + 1);
  const fields: InlineField[] = [];
  for (const [, name = '', rule = '', rest = ''] of list.matchAll(
    /`([a-z]\w*)`(?: \(([^)]*)\))?( and )?/gi,
  )) {
    fields.push({ name, rule: rule || rest });
  }
  return fields.map(({ name, rule }, index) => ({
    name,
    rule: rule === ' and ' ? (fields[index + 1]?.rule ?? '') : rule,
  }));
}

/** Returns a cell of the item's row; throws if the table lacks the column. */
export function cell(item: Item, title: string): string {
  const text = item.cells[title];
  if (text === undefined) throw new Error(`${item.id} has no column ${title}`);
  return text;
}
