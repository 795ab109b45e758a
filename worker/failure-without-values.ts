/** What Temporal stores of an activity that failed, and the log shows of it: histories are kept for days, and read by people who may not read the rows. */
import { ApplicationFailure, CompleteAsyncError, TemporalFailure } from '@temporalio/common';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { CarrierUnreachable, RouteRefused } from '../activities/telephony/port';
import { errorCode } from '../db/kernel/error-code';
import { framesOf } from '../runtime/observability/frames';

/** Deep enough for a pass of the reconciliation, its query and the connection. */
const MOST_CAUSES = 4;

/** Fails with the same name, code and places. An `ApplicationFailure` is of our own words already. */
export const failsWithoutValues: ActivityInterceptorsFactory = () => ({
  inbound: {
    async execute(input, next) {
      try {
        return await next(input);
      } catch (error) {
        throw withoutValues(error);
      }
    },
  },
});

export function withoutValues(error: unknown, depth = MOST_CAUSES): unknown {
  if (error instanceof TemporalFailure || error instanceof CompleteAsyncError) return error;
  const { type, stack, cause } = partsOf(error);
  const message = safeMessage(error);
  const below = cause === undefined || depth === 1 ? undefined : withoutValues(cause, depth - 1);
  const failure = ApplicationFailure.create({
    type,
    message,
    ...(below instanceof Error && { cause: below }),
  });
  failure.stack = [`${type}: ${message}`, ...framesOf(stack)].join('\n    ');
  return failure;
}

/** By shape, as `errorCode`; the type as the SDK takes it. */
function partsOf(error: unknown): { type: string; stack: string; cause: unknown } {
  const isError = typeof error === 'object' && error !== null;
  return {
    type: isError ? error.constructor.name : 'Error',
    stack: isError && 'stack' in error ? String(error.stack) : '',
    cause: isError && 'cause' in error ? error.cause : undefined,
  };
}

/**
 * The words of our own errors, which are written to be read. Postgres and most libraries quote the value, the address or the text that they
 * fail at: of those the code has to do.
 */
function safeMessage(error: unknown): string {
  const code = errorCode(error);
  if (code !== null) return `${code}${constraintOf(error)}`;
  return isOurs(error) ? withoutNumbers(error.message) : 'without a code; see the places';
}

const OURS: ReadonlySet<unknown> = new Set([Error, AggregateError, CarrierUnreachable, RouteRefused]);

const isOurs = (error: unknown): error is Error => error instanceof Error && OURS.has(error.constructor);

function constraintOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('constraint' in error)) return '';
  return typeof error.constraint === 'string' ? ` (${error.constraint})` : '';
}

/** A library may throw a plain `Error` too. */
const withoutNumbers = (text: string): string => text.replace(/\+?\d(?:[\s().-]?\d){6,}/g, '(number)');
