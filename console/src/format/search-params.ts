/** Parts of an address that a person may have typed: what makes no sense is left out. */

export const choiceOf = <T extends string>(value: unknown, choices: readonly T[]): T | undefined =>
  choices.find((choice) => choice === value);

/** A page from the second on: the first is where one is without it. */
export const pageOf = (value: unknown): number | undefined => {
  const page = Number(value);
  return Number.isInteger(page) && page > 1 && page <= 1_000_000 ? page : undefined;
};

export const textOf = (value: unknown): string | undefined => {
  const text = typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
  return text === '' ? undefined : text;
};

/** A day as `<input type="date">` has it. */
export const dayOrNothing = (value: unknown): string | undefined => {
  const day = textOf(value);
  return day !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(day) ? day : undefined;
};
