import { sqlEdits } from '../../../verify/mutants/sql/conditions';
import { withMutant } from '../../../verify/mutants/mutant';

/** Returns the bodies of the mutants of a function with this body. */
function mutated(body: string): string[] {
  const source = `create function f(p integer default 1) returns void language plpgsql as $$\n${body}\n$$;`;
  return sqlEdits(source).map((edit) => withMutant(source, edit).split('\n').slice(1, -1).join('\n'));
}

test('mutates each comparison, bound, operator and operand of a condition, and the condition as a whole', () => {
  expect(mutated('if a < 1 and b is null then').sort()).toEqual([
    'if a < 1 and b is not null then',
    'if a < 1 and true then',
    'if a < 1 or b is null then',
    'if a < 2 and b is null then',
    'if a <= 1 and b is null then',
    'if false then',
    'if true and b is null then',
    'if true then',
  ]);
});

test.each([
  ['a <= b', 'a < b'],
  ['a > b', 'a >= b'],
  ['a >= b', 'a > b'],
  ['a = b', 'a <> b'],
  ['a <> b', 'a = b'],
  ['a is null', 'a is not null'],
  ['a is not null', 'a is null'],
  ['a is distinct from b', 'a is not distinct from b'],
  ['not a', 'a'],
  ['exists (select from t)', 'not exists (select from t)'],
  ['not exists (select from t)', 'exists (select from t)'],
  [`a in ('x', 'y')`, `a not in ('x', 'y')`],
  [`a not in ('x', 'y')`, `a in ('x', 'y')`],
  ['least(a, 4)', 'greatest(a, 4)'],
  ['greatest(a, 4)', 'greatest(a, 5)'],
])('mutates %s to %s', (from, to) => {
  expect(mutated(`x := ${from};`)).toContain(`x := ${to};`);
});

test('drops operands of a where condition one at a time, and a single condition as a whole', () => {
  expect(mutated('delete from t where a = 1 and (b = 2 or c = 3);')).toEqual(
    expect.arrayContaining([
      'delete from t where true and (b = 2 or c = 3);',
      'delete from t where a = 1 and true;',
      'delete from t where a = 1 and (false or c = 3);',
      'delete from t where a = 1 and (b = 2 or false);',
    ]),
  );
  expect(mutated('delete from t where f(a) order by a;')).toEqual(['delete from t where true order by a;']);
});

test('mutates conditions of case branches, loops and triggers', () => {
  expect(mutated('x := case when a then 1 end;')).toEqual([
    'x := case when true then 1 end;',
    'x := case when false then 1 end;',
  ]);
  expect(mutated('while a loop')).toEqual(['while false loop']);
  const trigger =
    '$$ begin end $$;\ncreate trigger t after update on u for each row when (new.a = old.a) execute function f();';
  expect(sqlEdits(trigger).map((edit) => edit.change)).toEqual(['= → <>']);
});

test.each([
  ['an assignment', 'update t set a = 1, b = 2;'],
  ['an assignment on conflict', 'insert into t values (1) on conflict (a) do update set a = 1;'],
  ['a comment', '-- if a < b and c then\nx := 1;'],
  ['a comment in the middle', 'x := 1; /* a < b or c */'],
  ['a string', `x := 'a < b and not c or d is null';`],
  ['a string with a quote', `x := 'it''s a < b';`],
  ['the parts of a message', `raise foreign_key_violation using constraint = 'a', table = 'b';`],
  ['a declaration', 'a integer not null := 1;'],
])("doesn't mutate %s", (_what, body) => {
  expect(mutated(body)).toEqual([]);
});

test('mutates a comparison inside an assignment, but not the assignment', () => {
  expect(mutated('update t set a = case when b = 1 then 2 end, c = d >= e;')).toEqual(
    expect.arrayContaining([
      'update t set a = case when b <> 1 then 2 end, c = d >= e;',
      'update t set a = case when b = 1 then 2 end, c = d > e;',
    ]),
  );
  expect(mutated('update t set a = case when b = 1 then 2 end, c = d >= e;').join()).not.toMatch(/[ac] <> /);
});

test("doesn't mutate the head of a function", () => {
  expect(sqlEdits('create function f(p integer default 1 > 2) returns void as $$ x := 1; $$;')).toEqual([]);
});
