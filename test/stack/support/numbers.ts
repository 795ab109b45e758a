/** Numbers of the simulator's table; each campaign of a run has its own, because the simulator counts the calls to a number. */

/** No mobile series of the country begins with 61: the numbers are well formed and nobody's. */
const PREFIX = '+9161';

/** One of every kind but 73, which talks until the longest talk is over. */
export const EVERY_KIND = [
  98, 99, 80, 93, 94, 97, 75, 0, 70, 74, 85, 88, 89, 90, 91, 92, 95, 96, 42,
] as const;

let blocks = 0;

/** As many numbers as endings, none of them given out before. An ending that occurs again goes to a further block. */
export function freshNumbers(endings: readonly number[]): string[] {
  const seen = new Map<number, number>();
  const numbers = endings.map((ending) => {
    const nth = seen.get(ending) ?? 0;
    seen.set(ending, nth + 1);
    return `${PREFIX}${String(blocks + nth).padStart(6, '0')}${String(ending).padStart(2, '0')}`;
  });
  blocks += Math.max(1, ...seen.values());
  return numbers;
}

/** Numbers that answer and talk to the end. */
export function talkers(count: number): string[] {
  return freshNumbers(Array.from({ length: count }, (_, index) => index % 70));
}

export function contactCsv(numbers: readonly string[]): string {
  const rows = numbers.map((number, index) => `Contact ${index + 1},${number},Pune`);
  return ['name,phone_number,city', ...rows, ''].join('\n');
}
