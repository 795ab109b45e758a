import { SECTIONS, type SectionName } from '../../domain/agent-config';
import type { Row, Table } from '../../domain/agent-config/rows';
import { isJsonObject, type JsonObject } from '../../domain/json';

/**
 * The dotted paths of what a change names, as far as the section's table does. A key of the client's own (a question of the FAQ, the
 * name of a variable) may be personal and is left out: the path ends at the field that holds it.
 */
export const namedFields = (section: SectionName, change: JsonObject): string[] => [
  ...new Set(pathsOf(section, SECTIONS[section].rows, change)),
];

function pathsOf(path: string, known: Table, value: unknown): string[] {
  if (!isJsonObject(value) || Object.keys(value).length === 0) return [path];
  return Object.entries(value).flatMap(([key, inner]) => {
    const row = Object.hasOwn(known, key) ? known[key] : undefined;
    return row === undefined || row.isUnchecked === true
      ? [path]
      : pathsOf(`${path}.${key}`, innerRows(row), inner);
  });
}

const innerRows = (row: Row): Table => (row.kind === 'group' ? row.rows : {});
