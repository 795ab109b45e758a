/** Generates the tables of `docs/errors.md` and `docs/settings.md`, `.env.example`, and the variables in `docker-compose.yml`. */
import { ERROR_CODES, ERROR_GROUPS } from '../../api/http/errors/codes';
import { VARIABLE_GROUPS, VARIABLES } from '../../config';
import type { Process, Variable } from '../../config/variable';

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

/** Breaks a text into lines of at most `WIDTH` characters. */
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
