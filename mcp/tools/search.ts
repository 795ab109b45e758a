/** Looking for what the API has no filter for: page by page, within a bound that the answer names. */

export interface Found<T> {
  found: T[];
  /** Items that were looked at. */
  searched: number;
  /** False where the list goes on behind the last item that was looked at. */
  searched_all: boolean;
}

export interface Bounds {
  /** Most items that are looked at. */
  most: number;
  /** Most items that are answered. */
  limit: number;
}

export async function search<T>(
  items: AsyncIterable<T>,
  matches: (item: T) => boolean,
  { most, limit }: Bounds,
): Promise<Found<T>> {
  const found: T[] = [];
  let searched = 0;
  for await (const item of items) {
    if (searched === most || found.length === limit) return { found, searched, searched_all: false };
    searched += 1;
    if (matches(item)) found.push(item);
  }
  return { found, searched, searched_all: true };
}

const LEAST_DIGITS = 4;

/** By the digits at the end, so that +91 98765 43210, 09876543210 and 43210 all find +919876543210. */
export function sameNumber(asked: string): (number: string | null) => boolean {
  const digits = asked.replace(/\D/g, '').replace(/^0+/, '');
  return (number) => {
    return digits.length >= LEAST_DIGITS && (number ?? '').replace(/\D/g, '').endsWith(digits);
  };
}

/** Texts that differ only in case, width or the composition of their accents become equal, as in the API's own searches. */
export const fold = (text: string): string => text.normalize('NFKC').toLowerCase();
