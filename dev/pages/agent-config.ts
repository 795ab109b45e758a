/** The tables of `docs/agent-config.md`: each stands between two marks that name its section, and the prose around them is written by hand. */
import { SECTION_NAMES, SECTIONS, type SectionName } from '../../workflows/domain/agent-config';
import type { Row, Table, Uses } from '../../workflows/domain/agent-config/rows';
import { assertNever } from '../../workflows/domain/assert-never';
import { code, markdownTable } from './markdown';

const HEAD = ['field', 'type and limits', 'default', 'what it does', 'affects'];

const beginOf = (name: SectionName): string => `<!-- the table of ${name}: npm run pages -->`;
const END = '<!-- the end of the table -->';

/** The document with its tables as they are to be. Throws where the marks of a section are missing. */
export const withTables = (document: string): string =>
  SECTION_NAMES.reduce((text, name) => withTable(text, name), document);

function withTable(document: string, name: SectionName): string {
  const begin = document.indexOf(beginOf(name));
  const end = document.indexOf(END, begin);
  if (begin < 0 || end < 0) throw new Error(`the document has no place for the table of ${name}`);
  const before = document.slice(0, begin + beginOf(name).length);
  return `${before}\n\n${tableOf(SECTIONS[name].rows)}\n\n${document.slice(end)}`;
}

const tableOf = (rows: Table): string =>
  markdownTable(
    HEAD,
    linesOf('', rows).map((line) => line.map((cell) => cell.replaceAll('|', '\\|'))),
  );

function linesOf(path: string, rows: Table): string[][] {
  return Object.entries(rows).flatMap(([key, row]) => {
    const place = path === '' ? key : `${path}.${key}`;
    switch (row.kind) {
      case 'group':
        return row.like === undefined
          ? linesOf(place, row.rows)
          : [[code(place), `as \`${row.like}\``, '', row.does, '']];
      case 'item':
        return linesOf(place, row.rows);
      case 'shape':
        return [lineOf(place, row), ...linesOf(place, row.rows)];
      case 'shape map':
        return [lineOf(place, row), ...linesOf(`${place}.*`, row.rows)];
      case 'list':
        return row.entry?.kind === 'item'
          ? [lineOf(place, row), ...linesOf(place, { '*': row.entry })]
          : [lineOf(place, row)];
      default:
        return [lineOf(place, row)];
    }
  });
}

function lineOf(path: string, row: Exclude<Row, { kind: 'group' | 'item' }>): string[] {
  return [code(path), typeOf(row), defaultOf(row), row.does, row.effects.join(', ')];
}

function typeOf(row: Row): string {
  switch (row.kind) {
    case 'flag':
      return 'yes or no';
    case 'text':
      return row.form === 'e164' ? 'E.164 or empty' : `text, ${grouped(row.most)} characters`;
    case 'choice':
      return row.values.map(code).join(', ');
    case 'word':
      return `${row.values.map(code).join(', ')}; any other is \`${row.otherwise}\``;
    case 'number': {
      const range = `${grouped(row.least)} to ${grouped(row.most)}`;
      if (row.unit === 'share') return range;
      return `${row.isWhole ? '' : 'number, '}${range} ${row.unit}`;
    }
    case 'list':
      return `list, ${grouped(row.most)} entries${used(row.uses)}`;
    case 'map':
    case 'text map':
    case 'shape map':
      return `map, ${grouped(row.most)} keys${used('uses' in row ? row.uses : undefined)}`;
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

function used(uses: Uses | undefined): string {
  if (uses === undefined) return '';
  const each = uses.characters === undefined ? '' : ` of ${grouped(uses.characters)} characters`;
  return `; ${grouped(uses.entries)}${each} are used`;
}

/** Empty where there is none: what is unset has no effect, or something else decides. */
function defaultOf(row: Row): string {
  switch (row.kind) {
    case 'flag':
    case 'number':
      return row.required === true || row.default === null ? '' : code(String(row.default));
    case 'text':
    case 'choice':
    case 'word':
      return row.required === true || row.default === '' ? '' : code(row.default);
    default:
      return '';
  }
}

/** 20,000 */
const grouped = (value: number): string => value.toLocaleString('en');
