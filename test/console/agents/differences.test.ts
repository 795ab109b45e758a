import { differencesOf } from '../../../console/src/agents/differences';

test('lists each differing field once, with the old and new value', () => {
  const before = {
    persona: { identity: { system_prompt: 'Be kind', personality: { warm: 1 } } },
    training: { know_how: { faq: { 'Open?': 'No.' } } },
  };
  const after = {
    persona: { identity: { system_prompt: 'Be brief', personality: { warm: 1 } } },
    training: {},
    analysis: { extraction: { collect_concerns: { enabled: true } } },
  };
  expect(differencesOf(before, after)).toEqual([
    { path: ['persona', 'identity', 'system_prompt'], before: 'Be kind', after: 'Be brief' },
    { path: ['training', 'know_how', 'faq', 'Open?'], before: 'No.', after: null },
    { path: ['analysis', 'extraction', 'collect_concerns', 'enabled'], before: null, after: 'true' },
  ]);
});

test('treats null, a missing field and an empty object as the same', () => {
  expect(differencesOf({ a: null, b: {}, c: { d: null } }, {})).toEqual([]);
});

test('compares a list as a whole, and shows one line for each entry', () => {
  expect(differencesOf({ list: ['a', 'b'] }, { list: [{ name: 'a' }] })).toEqual([
    { path: ['list'], before: 'a\nb', after: '[\n  {\n    "name": "a"\n  }\n]' },
  ]);
});

test('distinguishes field names that contain dots or quotation marks', () => {
  const found = differencesOf({ 'a.b': 'one', a: { b: 'two' } }, { 'a.b': 'one', a: { b: 'three' } });
  expect(found).toEqual([{ path: ['a', 'b'], before: 'two', after: 'three' }]);
});
