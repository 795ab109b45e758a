/** Searches page by page for values that the API can't filter by, up to a limit that is reported with the result. */

export interface Found<T> {
  found: T[];
  /** Number of items searched. */
  searched: number;
  /** False if the list continues after the last item searched. */
  searched_all: boolean;
}

export interface Bounds {
  /** Maximum number of items to search. */
  max: number;
  /** Maximum number of items to return. */
  limit: number;
}

export async function search<T>(
  items: AsyncIterable<T>,
  matches: (item: T) => boolean,
  { max, limit }: Bounds,
): Promise<Found<T>> {
  const found: T[] = [];
  let searched = 0;
  for await (const item of items) {
    if (searched === max || found.length === limit) return { found, searched, searched_all: false };
    searched += 1;
    if (matches(item)) found.push(item);
  }
  return { found, searched, searched_all: true };
}

const MIN_DIGITS = 4;

/** Compares the last digits, so that +91 98765 43210, 09876543210 and 43210 all find +919876543210. */
export function sameNumber(query: string): (number: string | null) => boolean {
  const digits = query.replace(/\D/g, '').replace(/^0+/, '');
  return (number) => {
    return digits.length >= MIN_DIGITS && (number ?? '').replace(/\D/g, '').endsWith(digits);
  };
}

/** Removes differences in case, width and the composition of accents, as the API's own searches do. */
export const fold = (text: string): string => text.normalize('NFKC').toLowerCase();
