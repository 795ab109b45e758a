/** Workflows that run, in pages, as Temporal lists them. */
export async function* listed(...pages: string[][]): AsyncGenerator<string[]> {
  for (const page of pages) yield await Promise.resolve(page);
}
