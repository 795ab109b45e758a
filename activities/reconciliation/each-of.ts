/** Returns whether the pass may start another item. The next run handles the rest. */
export interface PassTime {
  hasTime: () => boolean;
}

/** Repairs all items even if some fail, and reports the failures at the end. */
export async function eachOf<T>(
  { hasTime }: PassTime,
  items: readonly T[],
  repair: (item: T) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) {
    if (!hasTime()) break;
    await repair(item).catch((cause: unknown) => failures.push(cause));
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} could not be repaired`);
}

/** Repairs all pages even if some fail. Each page is read after the last item of the previous one. */
export async function eachPageOf<T>(
  { hasTime }: PassTime,
  read: (after: T | null) => Promise<T[]>,
  repair: (page: T[]) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  let after: T | null = null;
  while (hasTime()) {
    const page: T[] = await read(after);
    const last = page.at(-1);
    if (last === undefined) break;
    await repair(page).catch((cause: unknown) => failures.push(cause));
    after = last;
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} pages could not be repaired`);
}
