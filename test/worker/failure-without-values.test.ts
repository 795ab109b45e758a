/** Temporal stores the failures of activities, so they must not contain values. */
import {
  ApplicationFailure,
  CancelledFailure,
  defaultFailureConverter,
  defaultPayloadConverter,
  ensureApplicationFailure,
} from '@temporalio/common';
import { CarrierUnreachable } from '../../activities/telephony/port';
import { failsWithoutValues, withoutValues } from '../../worker/failure-without-values';

/** A failure as the SDK sends it, with message, stack and causes. */
const failureOf = (error: unknown) =>
  defaultFailureConverter.errorToFailure(
    ensureApplicationFailure(withoutValues(error)),
    defaultPayloadConverter,
  );
const stored = (error: unknown): string => JSON.stringify(failureOf(error));

const PERSONAL = /Priyanka|9876543210|98765 43210/;

describe('the failure of an activity', () => {
  test.each<[string, () => unknown]>([
    [
      'of Postgres that quotes the value',
      () =>
        Object.assign(new Error('invalid input: "Priyanka"'), {
          severity: 'ERROR',
          code: '22P02',
          detail: 'Priyanka',
        }),
    ],
    [
      'of a statement with its values',
      () => new Error(`update calls set name = 'x' where to_number = '+919876543210' - away`),
    ],
    ['of a library that quotes what it reads', () => new SyntaxError('Unexpected token P in "Priyanka"')],
    ['of a cause', () => new Error('a pass failed', { cause: new TypeError('Priyanka') })],
    ['that is not an error', () => 'Priyanka'],
    ['with a number in groups', () => new Error('refused by (+91) 98765 43210')],
  ])('removes the values of a failure %s', (_what, error) => {
    expect(stored(error())).not.toMatch(PERSONAL);
  });

  test('keeps name, code, constraint and stack locations of a failure', () => {
    class DatabaseError extends Error {
      code = '23505';
      constraint = 'calls_pkey';
    }
    const error = new DatabaseError('duplicate key');
    const failure = failureOf(error);
    expect(failure).toMatchObject({
      message: '23505 (calls_pkey)',
      applicationFailureInfo: { type: 'DatabaseError' },
    });
    expect(failure.stackTrace).toContain('failure-without-values.test');
  });

  test('keeps messages that the platform wrote', () => {
    expect(stored(new Error('silentCalls failed'))).toContain('silentCalls failed');
    expect(stored(new CarrierUnreachable('the carrier did not respond to a look-up'))).toContain('a look-up');
  });

  test.each([ApplicationFailure.create({ message: 'as it is' }), new CancelledFailure('as it is')])(
    'leaves a failure that was created for Temporal unchanged',
    (failure) => {
      expect(withoutValues(failure)).toBe(failure);
    },
  );

  test('cleans the failures of every activity, and passes results through unchanged', async () => {
    // This factory doesn't use its context.
    const { inbound } = failsWithoutValues({} as never);
    const run = (activity: () => Promise<unknown>) => inbound?.execute?.({ args: [], headers: {} }, activity);
    await expect(run(() => Promise.reject(new RangeError('Priyanka')))).rejects.toThrow('without a code');
    await expect(run(() => Promise.resolve('done'))).resolves.toBe('done');
  });
});
