/** Blanks of no width, marks of direction and soft hyphens, which copied texts carry and no one sees. */
const INVISIBLE = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;

/** Joiners shape letters of Indian scripts, so they stay within a text. */
const EDGES = /^[\s\u200c\u200d]+|[\s\u200c\u200d]+$/g;

const FIXED_BLANKS = /[\u00a0\u2007\u202f]/g;

/** A title or a name as people see it: trimmed, with ordinary blanks and without characters that show nothing. */
export const visibleText = (text: string): string =>
  text.replace(INVISIBLE, '').replace(FIXED_BLANKS, ' ').replace(EDGES, '');
