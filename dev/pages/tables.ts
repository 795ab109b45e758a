/** Generates the tables of `docs/errors.md` and `docs/settings.md`, `.env.example`, and the variables in `docker-compose.yml`. */
import { ERROR_CODES, ERROR_GROUPS } from '../../api/http/errors/codes';
import { VARIABLE_GROUPS, VARIABLES } from '../../config/index';
import type { Process, Variable } from '../../config/variable';
import type { Shape, Shapes } from '../../domain/shape';
import { COMMON_FIELDS, WEBHOOK_EVENTS } from '../../domain/webhook-events';
import { assertNever } from '../../domain/assert-never';

export const code = (text: string): string => `\`${text}\``;

/** Formats a table as prettier does: columns are as wide as their widest cell, and at least three characters. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(3, title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

export function errorTables(): string {
  const rows = Object.entries(ERROR_CODES);
  return ERROR_GROUPS.map((group) => {
    const body = rows
      .filter(([, each]) => each.group === group)
      .map(([name, { status, when, fix }]) => [code(name), String(status), when, fix]);
    return `## ${group}\n\n${markdownTable(['code', 'status', 'when it happens', 'what to do'], body)}`;
  }).join('\n\n');
}

const WIDTH = 120;

const HEAD = `# Every variable that the processes read. \`npm start\`, \`npm run demo\` and \`npm test\` need none of them. If you start the
# processes one by one, copy this file and pass it to each:
#
#   cp .env.example .env && node --env-file=.env dist/api/main.js
#
# An empty variable counts as unset. If variables are wrong or missing, a process lists them all and exits.
# Commented-out lines show the defaults. Brackets show the type and limits, and the processes that read the variable.
# config/ describes the variables, and \`npm run pages\` writes this file.
`;

export const envExample = (): string =>
  [
    HEAD,
    ...VARIABLE_GROUPS.flatMap(([title, table]) => [
      `# --- ${title} ${'-'.repeat(WIDTH - title.length - 7)}\n`,
      ...Object.entries(table).map(([name, row]) => entryOf(name, row)),
    ]),
  ].join('\n');

function entryOf(name: string, row: Variable): string {
  const { default: preset = '' } = row;
  const ownDefaults = typeof preset === 'object' ? `default ${defaultCell(row).replaceAll('`', '')}` : '';
  const facts = [row.kind.limits, ownDefaults, row.readBy.join(', ')];
  const brackets = `# [${facts.filter((fact) => fact !== '').join('; ')}]`;
  const value = row.example ?? (typeof preset === 'object' ? '' : String(preset));
  const line = `${row.example === undefined ? '# ' : ''}${name}=${value}`;
  return `${comment(row.description)}\n${brackets}\n${line}\n`;
}

/** Breaks the text into lines of at most `WIDTH` characters. */
function comment(text: string): string {
  const lines = ['#'];
  for (const word of text.split(' ')) {
    const last = lines.length - 1;
    if (lines[last] !== '#' && `${lines[last]} ${word}`.length > WIDTH) lines.push(`# ${word}`);
    else lines[last] += ` ${word}`;
  }
  return lines.join('\n');
}

export const settingsTables = (): string =>
  VARIABLE_GROUPS.map(([title, table]) => {
    const rows = Object.entries(table).map(([name, row]) => [
      code(name),
      row.kind.limits === '' ? 'text' : row.kind.limits,
      defaultOrNeed(row),
      row.description,
      row.readBy.join(', '),
    ]);
    const cells = rows.map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
    return `## ${title}\n\n${markdownTable(['variable', 'value', 'default', 'what it does', 'read by'], cells)}`;
  }).join('\n\n');

/** The services of `docker-compose.yml` that read variables. Each is named after its process. */
const SERVICES: readonly Process[] = ['migrate', 'api', 'worker', 'agent', 'admin'];

/** Returns one YAML mapping for each service, with the names of its variables. Compose takes their values from `.env`. */
export const composeVariables = (): string =>
  SERVICES.map((process) => {
    const names = Object.entries<Variable>(VARIABLES).flatMap(([name, { readBy }]) =>
      readBy.includes(process) ? [`  ${name}:`] : [],
    );
    return [`x-${process}-variables: &${process}-variables`, ...names].join('\n');
  }).join('\n\n');

function defaultOrNeed(row: Variable): string {
  const { requiredBy = [], readBy } = row;
  if (requiredBy.length === 0) return defaultCell(row);
  return requiredBy.length === readBy.length ? 'required' : `required by ${requiredBy.join(', ')}`;
}

function defaultCell({ default: value = '' }: Variable): string {
  if (typeof value !== 'object') return value === '' ? '' : code(String(value));
  const each = Object.entries(value).map(([process, own]) => `${process}: ${code(String(own))}`);
  return each.join(', ');
}

/** Lists each field once: fields of all events, fields of all events about a subject, and the remaining fields by event. */
export function webhookEventTables(): string {
  const events = Object.entries(WEBHOOK_EVENTS).map(([name, { fields }]): Body => ({ name, fields }));
  const table = markdownTable(
    ['event', 'when', 'to'],
    Object.entries(WEBHOOK_EVENTS).map(([name, { when, to }]) => [code(name), when, code(to)]),
  );
  const ofAll = sharedFields(events);
  const event = [code('event'), 'text', 'Name of the event'];
  const everywhere = fieldTable('Every body has:', [event, ...rowsOf({ ...COMMON_FIELDS, ...ofAll })]);
  const subjects = [...new Set(events.map(({ name }) => subjectOf(name)))];
  const bySubject = subjects.flatMap((subject) => {
    const bodies = without(
      events.filter(({ name }) => subjectOf(name) === subject),
      ofAll,
    );
    const shared = sharedFields(bodies);
    return [
      fieldTable(`All ${code(`${subject}.…`)} events also have:`, rowsOf(shared)),
      ...restTables(without(bodies, shared)),
    ];
  });
  return [table, everywhere, ...bySubject].join('\n\n');
}

interface Body {
  name: string;
  fields: Shapes;
}

const subjectOf = (name: string): string => name.split('.')[0] ?? name;

const isSame = (one: Shape, other: Shape | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

const sharedFields = ([first, ...others]: readonly Body[]): Shapes =>
  keeping(first?.fields ?? {}, (name, shape) => others.every(({ fields }) => isSame(shape, fields[name])));

const without = (bodies: readonly Body[], shared: Shapes): Body[] =>
  bodies.map(({ name, fields }) => ({ name, fields: keeping(fields, (field) => !(field in shared)) }));

const keeping = (fields: Shapes, isKept: (name: string, shape: Shape) => boolean): Shapes =>
  Object.fromEntries(Object.entries(fields).filter(([name, shape]) => isKept(name, shape)));

/** Events with the same remaining fields share a table. An event without remaining fields has no table. */
function restTables(bodies: readonly Body[]): string[] {
  const names = new Map<string, string[]>();
  for (const { name, fields } of bodies) {
    const rest = JSON.stringify(fields);
    names.set(rest, [...(names.get(rest) ?? []), name]);
  }
  return [...names.values()].flatMap((sharing) => {
    const rows = rowsOf(bodies.find(({ name }) => name === sharing[0])?.fields ?? {});
    return rows.length === 0 ? [] : [fieldTable(`Also in ${sharing.map(code).join(', ')}:`, rows)];
  });
}

const fieldTable = (title: string, rows: readonly string[][]): string =>
  `${title}\n\n${markdownTable(['field', 'type', 'meaning'], rows)}`;

function rowsOf(fields: Shapes, parent = ''): string[][] {
  return Object.entries(fields).flatMap(([name, shape]) => {
    const path = `${parent}${name}`;
    const row = [code(path), typeName(shape), shape.meaning ?? ''];
    return shape.type === 'object' ? [row, ...rowsOf(shape.fields, `${path}.`)] : [row];
  });
}

function typeName(shape: Shape): string {
  const type = plainTypeName(shape);
  return `${type}${shape.nullable === true ? ' or null' : ''}${shape.optional === true ? ', optional' : ''}`;
}

function plainTypeName(shape: Shape): string {
  switch (shape.type) {
    case 'text':
      return 'text';
    case 'id':
      return 'UUID';
    case 'timestamp':
      return 'ISO 8601, UTC';
    case 'flag':
      return 'boolean';
    case 'integer':
      return shape.min === undefined ? 'integer' : `integer from ${shape.min}`;
    case 'number':
      return 'number';
    case 'word':
      return shape.of.map(code).join(', ');
    case 'texts':
      return 'list of texts';
    case 'object':
      return 'object';
    case 'objects':
      return 'list of objects';
    default:
      return assertNever(shape);
  }
}
