import fc from 'fast-check';
import { waitsOf } from '../../../console/src/calls/turns';
import { qualityOf } from '../../../domain/analysis/quality';

type Role = 'agent' | 'user' | 'tool';
const line = (role: Role, start_ms: number, end_ms: number) => ({
  role,
  content: 'Yes.',
  start_ms,
  end_ms,
  interrupted: false,
});

test("measures the response time from the end of the caller's words to the answer, including actions", () => {
  const lines = [
    line('agent', 0, 900),
    line('user', 1000, 2000),
    line('tool', 2100, 2600),
    line('agent', 2900, 4000),
    line('agent', 4100, 5000),
    line('user', 5000, 6000),
    line('agent', 5500, 7000),
  ];
  expect([...waitsOf(lines)]).toEqual([
    [3, 900],
    [6, 0],
  ]);
});

test("computes the same mean response time as the call's evaluation", () => {
  const said = fc.array(
    fc.record({
      role: fc.constantFrom<Role>('agent', 'user'),
      start: fc.nat(60_000),
      length: fc.nat(5_000),
    }),
  );
  fc.assert(
    fc.property(said, (each) => {
      const sorted = [...each].sort((a, b) => a.start - b.start);
      const waits = [...waitsOf(sorted.map((l) => line(l.role, l.start, l.start + l.length))).values()];
      const mean =
        waits.length === 0 ? null : Math.round(waits.reduce((sum, ms) => sum + ms, 0) / waits.length);
      const segments = sorted.map(({ role, start, length }) => ({
        speaker: role as 'agent' | 'user',
        text: 'Yes.',
        startMs: start,
        endMs: start + length,
      }));
      expect(qualityOf(segments, 'Yes.').avg_response_ms).toBe(mean);
    }),
  );
});
