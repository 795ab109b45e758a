import { callerNumber } from '../../activities/ending/caller-number';

test.each([
  ['+919876543210', '+919876543210'],
  ['919876543210', '+919876543210'],
  ['09876543210', '+919876543210'],
  ['9876543210', '+919876543210'],
  ['447911123456', '+447911123456'],
  ['00447911123456', '+447911123456'],
  ['12125550123', '+12125550123'],
  ['anonymous', null],
  ['web-user', null],
  ['100', null],
  [null, null],
])('a caller shown as %s is listed as %s', (shown, listed) => {
  expect(callerNumber(shown)).toBe(listed);
});
