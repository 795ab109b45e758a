/** Returns the items that fit together into `mostChars` characters. Earlier items come first. */
export function withinBudget<T>(all: readonly T[], charsOf: (one: T) => number, mostChars: number): T[] {
  let chars = 0;
  return all.filter((one) => {
    const together = chars + charsOf(one);
    if (together > mostChars) return false;
    chars = together;
    return true;
  });
}
