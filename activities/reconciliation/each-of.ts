/** One that fails does not keep the others from being repaired; that it failed is told once all have been tried. */
export async function eachOf<T>(items: readonly T[], repair: (item: T) => Promise<void>): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) await repair(item).catch((cause: unknown) => failures.push(cause));
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} could not be repaired`);
}
