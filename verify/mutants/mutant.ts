import { createHash } from 'node:crypto';

/** A single change of one condition in one file. */
export const AREAS = ['sql', 'activities', 'workflows', 'decisions'] as const;
export type Area = (typeof AREAS)[number];

export interface Mutant {
  area: Area;
  /** Path from the repository's root. */
  file: string;
  /** Starts at 1, as in editors. */
  line: number;
  column: number;
  /** The trimmed line. Together with `column` and `change`, it identifies the place even if lines above it change. */
  code: string;
  /** Position among equal lines in the file, starting at 1. */
  nth: number;
  start: number;
  end: number;
  replacement: string;
  /** Description such as `< → <=`. */
  change: string;
}

/** A change to a source text, without the file that it belongs to. */
export interface Edit {
  start: number;
  end: number;
  replacement: string;
  change: string;
}

export const withMutant = (source: string, { start, end, replacement }: Edit): string =>
  source.slice(0, start) + replacement + source.slice(end);

/** Returns mutants sorted by position. If two rules propose the same edit, it is included once. */
export function mutantsOf(
  { area, file, source }: { area: Area; file: string; source: string },
  edits: readonly Edit[],
): Mutant[] {
  const distinct = new Map(edits.map((edit) => [`${edit.start} ${edit.end} ${edit.replacement}`, edit]));
  return [...distinct.values()]
    .sort((one, other) => one.start - other.start || one.end - other.end)
    .map((edit) => ({ area, file, ...placeOf(source, edit.start), ...edit }));
}

function placeOf(source: string, start: number): Pick<Mutant, 'line' | 'column' | 'code' | 'nth'> {
  const lineStart = source.lastIndexOf('\n', start - 1) + 1;
  const lineEnd = source.indexOf('\n', start);
  const code = source.slice(lineStart, lineEnd === -1 ? undefined : lineEnd).trim();
  const before = source.slice(0, lineStart).split('\n');
  const nth = 1 + before.filter((line) => line.trim() === code).length;
  return { line: before.length, column: start - lineStart + 1, code, nth };
}

const SHOWN = 60;

/** Returns the text as one line. A long line is truncated and its length is added, so that lines with the same beginning differ. */
export function excerpt(text: string): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  return flat.length <= SHOWN ? flat : `${flat.slice(0, SHOWN - 1)}… (${flat.length})`;
}

/**
 * Draws a sample in proportion to the sizes of the areas, and mixes their order. The choice depends only on the seed and the changed line:
 * edits elsewhere don't change the sample, and a larger count extends it.
 */
export function sampleOf(candidates: readonly Mutant[], count: number, seed: number): Mutant[] {
  const ranked = AREAS.flatMap((area) => {
    const mutants = candidates
      .filter((mutant) => mutant.area === area)
      .map((mutant) => ({ mutant, draw: drawOf(mutant, seed) }))
      .sort((one, other) => one.draw.localeCompare(other.draw));
    return mutants.map(({ mutant }, index) => ({ mutant, rank: (index + 0.5) / mutants.length }));
  });
  return ranked
    .sort((one, other) => one.rank - other.rank)
    .slice(0, count)
    .map(({ mutant }) => mutant);
}

const drawOf = ({ file, code, column, change }: Mutant, seed: number): string =>
  createHash('sha256')
    .update(JSON.stringify([seed, file, code, column, change]))
    .digest('hex');
