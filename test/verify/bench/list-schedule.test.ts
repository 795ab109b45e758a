import { listScheduleMs } from '../../../verify/bench/list-schedule';

test('calls of one length take as many rounds as the lines need', () => {
  expect(listScheduleMs([10, 10, 10, 10, 10], 2)).toBe(30);
});

test('the next call goes to the line that is free first', () => {
  // 9 on the first line; 1, then 5, then 3 on the second.
  expect(listScheduleMs([9, 1, 5, 3], 2)).toBe(9);
});

test('the order of the calls is kept, though another would be shorter', () => {
  expect(listScheduleMs([1, 1, 1, 9], 3)).toBe(10);
});

test('lines that no call is left for do not matter', () => {
  expect(listScheduleMs([4, 7], 10)).toBe(7);
  expect(listScheduleMs([], 10)).toBe(0);
});
