/** Removes values from activity failures, because Temporal keeps histories for days and some people who read them may not see the rows. */
import { ApplicationFailure, CompleteAsyncError, TemporalFailure } from '@temporalio/common';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { CarrierUnreachable, RouteRefused } from '../activities/telephony/port';
import { errorCode } from '../db/kernel/error-code';
import { framesOf } from '../runtime/observability/frames';

/** Maximum number of causes to keep: a reconciliation pass, its query and the connection. */
const MAX_CAUSES = 4;

/**
 * Rethrows with the same name, code and stack. An `ApplicationFailure` contains only messages that the platform wrote and passes through
 * unchanged.
 */
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

export function withoutValues(error: unknown, depth = MAX_CAUSES): unknown {
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

/** Reads the parts by shape, like `errorCode`. The type is the one that the SDK would use. */
function partsOf(error: unknown): { type: string; stack: string; cause: unknown } {
  const isError = typeof error === 'object' && error !== null;
  return {
    type: isError ? error.constructor.name : 'Error',
    stack: isError && 'stack' in error ? String(error.stack) : '',
    cause: isError && 'cause' in error ? error.cause : undefined,
  };
}

/**
 * Returns the message only if the error is the platform's own. Postgres and most libraries quote values or addresses in their messages. For
 * their errors, the code must suffice.
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

/** Masks numbers, because libraries also throw plain `Error`s. */
const withoutNumbers = (text: string): string => text.replace(/\+?\d(?:[\s().-]?\d){6,}/g, '(number)');
