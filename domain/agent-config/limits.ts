/** Size limits of each section, derived from its table. */
import type { JsonLimits } from '../json-faults';
import { MAXIMA, UNNAMED } from './maxima';
import type { Row, Table } from './rows';
import { SECTION_NAMES, SECTIONS, type SectionName } from './index';

const limitsOf = (rows: Table): JsonLimits => ({ ...limitsInside(rows), inside: UNNAMED });

function limitsInside(rows: Table): JsonLimits {
  const checked = Object.entries(rows).filter(([, row]) => row.isUnchecked !== true);
  return { keys: MAXIMA.entries, named: new Map(checked.map(([key, row]) => [key, limitsOfRow(row)])) };
}

function limitsOfRow(row: Row): JsonLimits {
  switch (row.kind) {
    case 'group':
    case 'item':
      return limitsInside(row.rows);
    case 'map':
    case 'text map':
    case 'shape':
    case 'shape map':
      return { keys: row.max };
    case 'list': {
      const { entry, max } = row;
      const isNamed = entry !== null && entry.isUnchecked !== true;
      return { entries: max, ...(isNamed && { each: limitsOfRow(entry) }) };
    }
    case 'text':
    case 'word':
      return { text: row.max };
    case 'choice':
      return { text: MAXIMA.text };
    case 'any':
    case 'flag':
    case 'number':
      return UNNAMED;
  }
}

/** Limits per section. In a request, `deployment` may be wrapped in another object under the same key. */
export const SECTION_LIMITS: Readonly<Record<SectionName, JsonLimits>> = sectionLimits();

function sectionLimits(): Record<SectionName, JsonLimits> {
  const entries = SECTION_NAMES.map((name) => [name, limitsOf(SECTIONS[name].rows)]);
  const limits = Object.fromEntries(entries) as Record<SectionName, JsonLimits>;
  const { deployment } = limits;
  const named = new Map([...(deployment.named ?? []), ['deployment', deployment] as const]);
  return { ...limits, deployment: { ...deployment, named } };
}
