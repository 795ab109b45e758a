import { memoryFigures, type MemoryAt } from '../../../verify/bench/memory';

const MIB = 2 ** 20;
const at = (live: number, mib: number): MemoryAt => ({
  live,
  report: { rssBytes: mib * MIB, mainHeapBytes: (mib / 4) * MIB, threadHeapBytes: (mib / 4) * MIB },
  temporalRssBytes: 100 * MIB,
});
const value = (name: string) =>
  memoryFigures([at(0, 50), at(100, 200), at(1100, 300)]).find((each) => each.name === name)?.value;

test('what a further call keeps is derived from the calls beyond the first ones, as a cold worker keeps less', () => {
  expect(value('worker, resident, each further live call')).toBe(102.4);
  expect(value('worker, JavaScript heaps, each further live call')).toBe(51.2);
  expect(value('Temporal, resident, each further live call')).toBe(0);
});

test('the heaps are those of all threads', () => {
  expect(value('worker with 100 live calls: JavaScript heaps')).toBe(100);
});
