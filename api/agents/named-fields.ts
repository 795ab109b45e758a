import { SECTIONS, type SectionName } from '../../domain/agent-config';
import type { Row, Table } from '../../domain/agent-config/rows';
import { isJsonObject, type JsonObject } from '../../domain/json';

/**
 * Returns the dotted paths of a change, as far as the section's table defines them. Keys chosen by the client, such as an FAQ question, may be
 * personal, so the path ends at the field that contains them.
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
