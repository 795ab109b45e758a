/** Parses URL parameters, which users can edit. Drops invalid values. */

export const choiceOf = <T extends string>(value: unknown, choices: readonly T[]): T | undefined =>
  choices.find((choice) => choice === value);

/** Returns page numbers from 2 on, because the first page needs no parameter. */
export const pageOf = (value: unknown): number | undefined => {
  const page = Number(value);
  return Number.isInteger(page) && page > 1 && page <= 1_000_000 ? page : undefined;
};

export const textOf = (value: unknown): string | undefined => {
  const text = typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
  return text === '' ? undefined : text;
};

/** Accepts only the format of `<input type="date">`. */
export const dayOrNothing = (value: unknown): string | undefined => {
  const day = textOf(value);
  return day !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(day) ? day : undefined;
};
