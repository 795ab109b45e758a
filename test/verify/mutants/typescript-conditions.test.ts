import { typescriptEdits } from '../../../verify/mutants/typescript';
import { withMutant } from '../../../verify/mutants/mutant';

const mutated = (source: string): string[] => typescriptEdits(source).map((edit) => withMutant(source, edit));

test.each([
  ['x = a < b;', ['x = a <= b;']],
  ['x = a <= 1;', ['x = a < 1;', 'x = a <= 2;']],
  ['x = a > b;', ['x = a >= b;']],
  ['x = a >= b;', ['x = a > b;']],
  ['x = a === b;', ['x = a !== b;']],
  ['x = a !== b;', ['x = a === b;']],
  ['x = a != null;', ['x = a == null;']],
  ['x = !a;', ['x = a;']],
  ['x = a && b;', ['x = a || b;', 'x = b;', 'x = a;']],
  ['x = a || b;', ['x = a && b;', 'x = b;', 'x = a;']],
  ['x = a ? 1 : 2;', ['x = true ? 1 : 2;', 'x = false ? 1 : 2;']],
  ['if (a) f();', ['if (true) f();', 'if (false) f();']],
  ['while (a) f();', ['while (false) f();']],
])('mutates each condition of %s', (source, changed) => {
  expect(mutated(source)).toEqual(changed);
});

test.each([
  ['comments', '// if (a < b && !c)\nf(); /* a || b */'],
  ['strings', 'f("a < b && !c", `a || b`);'],
  ['types', 'type T<A> = A extends B ? C : D; let x: T<1> | null;'],
  ['assignments', 'a = 1; b ??= 2; c += 3;'],
])("doesn't mutate %s", (_what, source) => {
  expect(mutated(source)).toEqual([]);
});
