import { restAtPace } from '../../../console/src/format/pace';

test.each([
  [0, 12, 'none left'],
  [10, 0, '–'],
  [10, 20, 'about 1 min'],
  [130, 10, 'about 13 min'],
  [800, 10, 'about 1 h 20 min'],
])('%d contacts at %d calls a minute: %s', (pending, callsPerMinute, words) => {
  expect(restAtPace(pending, callsPerMinute)).toBe(words);
});
