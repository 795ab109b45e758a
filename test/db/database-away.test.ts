import { isDatabaseAway } from '../../db/kernel/database-away';

describe('a database error', () => {
  test.each([
    'select 1 - Connection terminated unexpectedly',
    'Connection terminated',
    'Connection terminated unexpectedly',
    'timeout expired',
    'Query read timeout',
    'Client has encountered a connection error and is not queryable',
    'Client was closed and is not queryable',
  ])('that pg reports without a code as %j says that Postgres is away', (message) => {
    expect(isDatabaseAway(new Error(message))).toBe(true);
  });

  test.each(['syntax error at or near "selct"', 'Client is not ours'])('%j is a fault of ours', (message) => {
    expect(isDatabaseAway(new Error(message))).toBe(false);
  });
});
