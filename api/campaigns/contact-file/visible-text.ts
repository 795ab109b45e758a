/** Zero-width spaces, direction marks and soft hyphens, which copied text often contains. */
const INVISIBLE = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;

/** Joiners shape letters of Indian scripts, so they are only removed at the ends of a text. */
const EDGES = /^[\s\u200c\u200d]+|[\s\u200c\u200d]+$/g;

const NO_BREAK_SPACES = /[\u00a0\u2007\u202f]/g;

/** Normalizes a title or a name to what people see: trimmed, with ordinary spaces and without invisible characters. */
export const visibleText = (text: string): string =>
  text.replace(INVISIBLE, '').replace(NO_BREAK_SPACES, ' ').replace(EDGES, '');
