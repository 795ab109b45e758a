/** Lists running workflows in pages, as Temporal does. */
export async function* listed(...pages: string[][]): AsyncGenerator<string[]> {
  for (const page of pages) yield await Promise.resolve(page);
}
