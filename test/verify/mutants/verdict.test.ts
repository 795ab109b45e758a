import type { SuiteResult } from '../../../verify/mutants/jest-run';
import type { Mutant } from '../../../verify/mutants/mutant';
import { hasPassed, resultOf, scoreOf, type Result, type Verdict } from '../../../verify/mutants/verdict';

const mutant: Mutant = {
  area: 'sql',
  file: 'db/functions/start_dial.sql',
  line: 3,
  column: 7,
  code: 'if a < b then',
  nth: 1,
  start: 1,
  end: 2,
  replacement: '<=',
  change: '< → <=',
};

const suite = (failure: string | null): SuiteResult => ({
  suite: 'test/db/start-dial.test.ts',
  ms: 1,
  passed: 1,
  longestTestMs: 1,
  failure,
  message: failure,
});

const results = (...verdicts: Verdict[]): Result[] =>
  verdicts.map((verdict) => ({ ...resultOf(mutant, { kind: 'ran', results: [] }, 100), verdict }));

const many = (count: number, verdict: Verdict): Verdict[] => Array.from({ length: count }, () => verdict);

test('considers a mutant found if a test fails, and survived if none does', () => {
  const found = resultOf(mutant, { kind: 'ran', results: [suite(null), suite('refuses')] }, 1_234);
  expect(found).toMatchObject({
    verdict: 'found',
    because: 'test/db/start-dial.test.ts: refuses',
    seconds: 1.2,
  });
  expect(resultOf(mutant, { kind: 'ran', results: [suite(null)] }, 1)).toMatchObject({ verdict: 'survived' });
});

test("considers a mutant found if its tests hang, and doesn't count an invalid mutant", () => {
  expect(resultOf(mutant, { kind: 'ran', results: null }, 1)).toMatchObject({ verdict: 'timeout' });
  expect(resultOf(mutant, { kind: 'invalid', reason: 'syntax error' }, 1)).toMatchObject({
    verdict: 'invalid',
    because: 'syntax error',
  });
  expect(scoreOf(results('found', 'timeout', 'invalid', 'survived'))).toEqual({
    judged: 3,
    found: 2,
    survived: 1,
    accepted: 0,
    invalid: 1,
  });
});

test('passes a mutation run without survivors, and fails a run with one', () => {
  expect(hasPassed(results(...many(99, 'found'), 'accepted', 'invalid'))).toBe(true);
  expect(hasPassed(results(...many(99, 'found'), 'survived'))).toBe(false);
  expect(hasPassed(results(...many(18, 'found'), ...many(2, 'survived')))).toBe(false);
});
