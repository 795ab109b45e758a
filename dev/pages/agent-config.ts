/**
 * Generates the tables of `docs/agent-config.md`. Each table is between two marks that name its section; the prose around them is
 * handwritten.
 */
import { SECTION_NAMES, SECTIONS, type SectionName } from '../../domain/agent-config';
import { type Effect, type Row, type Table, type Uses, shownDefaultOf } from '../../domain/agent-config/rows';
import { assertNever } from '../../domain/assert-never';
import { MAXIMA } from '../../domain/agent-config/maxima';
import { code, markdownTable } from './tables';

const HEAD = ['field', 'type, limits (default)', 'what it does'];

/** The effect that most rows of a section have, which the page states once. Only rows with a different effect name it. */
const USUAL: Readonly<Record<SectionName, Effect>> = {
  persona: 'conversation',
  training: 'conversation',
  experience: 'conversation',
  analysis: 'analysis',
  deployment: 'dialling',
};

const beginOf = (name: SectionName): string => `<!-- the table of ${name}: npm run pages -->`;
const END = '<!-- the end of the table -->';

/** Returns the document with up-to-date tables. Throws if the marks of a section are missing. */
export const withTables = (document: string): string =>
  SECTION_NAMES.reduce((text, name) => withTable(text, name), document);

function withTable(document: string, name: SectionName): string {
  const begin = document.indexOf(beginOf(name));
  const end = document.indexOf(END, begin);
  if (begin < 0 || end < 0) throw new Error(`the document has no place for the table of ${name}`);
  const before = document.slice(0, begin + beginOf(name).length);
  return `${before}\n\n${tableOf(name)}\n\n${document.slice(end)}`;
}

const tableOf = (name: SectionName): string =>
  markdownTable(
    HEAD,
    linesOf('', SECTIONS[name].rows, USUAL[name]).map((line) =>
      line.map((cell) => cell.replaceAll('|', '\\|')),
    ),
  );

function linesOf(path: string, rows: Table, usual: Effect): string[][] {
  return Object.entries(rows).flatMap(([key, row]) => {
    const place = path === '' ? key : `${path}.${key}`;
    switch (row.kind) {
      case 'group':
        return row.like === undefined
          ? linesOf(place, row.rows, usual)
          : [[code(place), `as \`${row.like}\``, row.description]];
      case 'item':
        return linesOf(place, row.rows, usual);
      case 'shape':
        return [lineOf(place, row, usual), ...linesOf(place, row.rows, usual)];
      case 'shape map':
        return [lineOf(place, row, usual), ...linesOf(`${place}.*`, row.rows, usual)];
      case 'list':
        return row.entry?.kind === 'item'
          ? [lineOf(place, row, usual), ...linesOf(place, { '*': row.entry }, usual)]
          : [lineOf(place, row, usual)];
      default:
        return [lineOf(place, row, usual)];
    }
  });
}

function lineOf(path: string, row: Exclude<Row, { kind: 'group' | 'item' }>, usual: Effect): string[] {
  return [code(path), `${typeOf(row)}${defaultOf(row)}`, `${row.description}${othersOf(row.effects, usual)}`];
}

/** Returns '' if the row has only the usual effect, or if its own text already says that the value is only stored. */
function othersOf(effects: readonly Effect[], usual: Effect): string {
  const others = effects.filter((effect) => effect !== usual && effect !== 'stored');
  return others.length === 0 ? '' : ` (${others.join(', ')})`;
}

function typeOf(row: Row): string {
  switch (row.kind) {
    case 'flag':
      return 'boolean';
    case 'text':
      if (row.form === 'e164') return 'E.164 or empty';
      return row.max === MAXIMA.text ? 'text' : `text ${atMost(row.max)}`;
    case 'choice':
    case 'word':
      return row.values.map(code).join(', ');
    case 'number': {
      const type = row.isWhole ? 'integer' : 'number';
      const unit = row.unit === 'share' ? '' : ` ${row.unit}`;
      return `${type} ${grouped(row.min)}–${grouped(row.max)}${unit}`;
    }
    case 'list':
      return `list ${atMost(row.max)}${used(row.uses)}`;
    case 'map':
    case 'text map':
    case 'shape map':
      return `map ${atMost(row.max)}${used('uses' in row ? row.uses : undefined)}`;
    case 'shape':
    case 'group':
    case 'item':
      return 'object';
    case 'any':
      return 'any';
    default:
      return assertNever(row);
  }
}

/** Returns how many entries a conversation uses, and how many characters of each entry. */
function used(uses: Uses | undefined): string {
  if (uses === undefined) return '';
  return `; uses ${grouped(uses.entries)}${uses.characters === undefined ? '' : `×${grouped(uses.characters)}`}`;
}

const atMost = (count: number): string => `≤${grouped(count)}`;

/** Returns '' if there is no default. */
function defaultOf(row: Row): string {
  const value = shownDefaultOf(row);
  return value === null ? '' : ` (${code(String(value))})`;
}

const grouped = (value: number): string => value.toLocaleString('en');
