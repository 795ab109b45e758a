/** Generates the tables of error codes in `docs/errors.md`. */
import { ERROR_CODES, ERROR_GROUPS } from '../../api/http/errors/codes';
import { code, markdownTable } from './markdown';

const HEAD = ['code', 'status', 'when it happens', 'what to do'];

export function errorTables(): string {
  const rows = Object.entries(ERROR_CODES);
  return ERROR_GROUPS.map((group) => {
    const body = rows
      .filter(([, each]) => each.group === group)
      .map(([name, { status, when, fix }]) => [code(name), String(status), when, fix]);
    return `## ${group}\n\n${markdownTable(HEAD, body)}`;
  }).join('\n\n');
}
