/** Whether the pass may begin with another item. What is left when it may not is left to the next run. */
export interface PassTime {
  hasTime: () => boolean;
}

/** One that fails does not keep the others from being repaired; that it failed is reported once all have been attempted. */
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

/** Page after page, each read behind the last item of the one before. A page that fails does not keep the next from being repaired. */
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
