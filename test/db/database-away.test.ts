import { isDatabaseUnreachable } from '../../db/kernel/database-unreachable';

describe('isDatabaseUnreachable()', () => {
  test.each([
    'select 1 - Connection terminated unexpectedly',
    'Connection terminated',
    'Connection terminated unexpectedly',
    'timeout expired',
    'Query read timeout',
    'Client has encountered a connection error and is not queryable',
    'Client was closed and is not queryable',
  ])('returns true for the error %j, which pg reports without a code', (message) => {
    expect(isDatabaseUnreachable(new Error(message))).toBe(true);
  });

  test.each(['syntax error at or near "selct"', 'Client is not ours'])(
    'returns false for the error %j',
    (message) => {
      expect(isDatabaseUnreachable(new Error(message))).toBe(false);
    },
  );
});
