import type { Row } from './rows';

/** The default that the docs show. Null if an unset value has no effect or something else decides. */
export function shownDefaultOf(row: Row): boolean | number | string | null {
  switch (row.kind) {
    case 'flag':
    case 'number':
      return row.required === true ? null : row.default;
    case 'text':
    case 'choice':
    case 'word':
      return row.required === true || row.default === '' ? null : row.default;
    default:
      return null;
  }
}
