import { nthSlug, slugOf } from '../../domain/slug';

test.each([
  ['words are joined by hyphens', 'Sales Agent', 'sales-agent'],
  ['accents are removed', 'Café Zürich', 'cafe-zurich'],
  ['punctuation separates words with one hyphen', '  Loan -- Reminder (v2)! ', 'loan-reminder-v2'],
  ['a name without Latin letters becomes agent', 'बिक्री', 'agent'],
  ['an empty name becomes agent', '', 'agent'],
  [
    'a UUID gets a prefix',
    'A81BC81B-DEAD-4E5D-ABFF-90865D1E13B1',
    'agent-a81bc81b-dead-4e5d-abff-90865d1e13b1',
  ],
])('creates the right slug: %s', (_fact, name, slug) => {
  expect(slugOf(name)).toBe(slug);
});

test("limits a slug to 60 characters and doesn't end it with a hyphen", () => {
  expect(slugOf(`${'a'.repeat(59)} bc`)).toBe('a'.repeat(59));
  expect(slugOf('x'.repeat(500))).toHaveLength(60);
});

test('returns the slug as the first candidate, and numbers the later ones within 60 characters', () => {
  expect([1, 2, 11].map((n) => nthSlug('sales', n))).toEqual(['sales', 'sales-2', 'sales-11']);
  expect(nthSlug('x'.repeat(60), 12)).toBe(`${'x'.repeat(57)}-12`);
});
