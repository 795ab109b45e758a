import { contactsPerHour } from '../../../console/src/campaigns/pace';

const stats = (completed: number, failed: number) => ({
  total_calls: 100,
  completed,
  in_progress: 0,
  pending: 100 - completed - failed,
  failed,
});
const outcomes = (answered: number, unanswered: number) => [
  { call_status: 'completed' as const, calls: answered },
  { call_status: 'no answer' as const, calls: unanswered },
];

describe('contactsPerHour()', () => {
  test('estimates the pace from the average number of calls per finished contact', () => {
    const progress = { calls_per_minute: 10, stats: stats(15, 5), outcomes: outcomes(15, 25) };
    expect(contactsPerHour(progress)).toBe(300);
  });

  test('does not exceed the number of calls per hour, even if some contacts finished without a call', () => {
    expect(contactsPerHour({ calls_per_minute: 2, stats: stats(1, 50), outcomes: outcomes(1, 0) })).toBe(120);
  });

  test('returns null before a contact is finished', () => {
    expect(contactsPerHour({ calls_per_minute: 2, stats: stats(0, 0), outcomes: outcomes(0, 7) })).toBeNull();
    expect(contactsPerHour({ calls_per_minute: 2, stats: stats(0, 3), outcomes: [] })).toBeNull();
  });
});
