/** Numbers from the simulator's table. Each campaign of a run has its own numbers, because the simulator counts calls per number. */

/** No mobile series in India begins with 61, so the numbers are well formed but belong to no subscriber. */
const PREFIX = '+9161';

/** Every kind of number except 73, which talks until its maximum duration. */
export const EVERY_KIND = [
  98, 99, 80, 93, 94, 97, 75, 0, 70, 74, 85, 88, 89, 90, 91, 92, 95, 96, 42,
] as const;

let blocks = 0;

/** Returns an unused number for each ending, even if an ending occurs twice. */
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

/** Returns numbers that answer and talk to the end. */
export function talkers(count: number): string[] {
  return freshNumbers(Array.from({ length: count }, (_, index) => index % 70));
}

export function contactCsv(numbers: readonly string[]): string {
  const rows = numbers.map((number, index) => `Contact ${index + 1},${number},Pune`);
  return ['name,phone_number,city', ...rows, ''].join('\n');
}
