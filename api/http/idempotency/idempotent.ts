import {
  freeKey,
  reserveKey,
  storeAnswer,
  type Reservation,
} from '../../../db/organizations/idempotency-keys';
import { assertNever } from '../../../domain/assert-never';
import type { Logger } from 'pino';
import type { Db } from '../../../db/kernel/connection';
import type { SecretsKeys } from '../../../db/kernel/secrets-keys';
import type { Clock } from '../../../runtime/clock';
import { ApiError } from '../errors/api-error';
import { classify, isUniqueViolation } from '../errors/classify';
import { errorCode } from '../../../db/kernel/error-code';
import { idempotencyInProgress, idempotencyKeyReused } from '../errors/refusals';
import { TemporalUnavailable } from '../errors/temporal-unavailable';
import { fingerprintOf } from './fingerprint';
import { openAnswer, sealAnswer } from './sealed-answer';

interface Dependencies {
  db: Db;
  clock: Clock;
  log: Logger;
  settings: { secretsKeys: SecretsKeys };
}

export interface IdempotentRequest<Result, Body> {
  organization: { id: string };
  /** If null, the request isn't idempotent. */
  key: string | null;
  /** Name of the operation, such as `dispatch`. A key belongs to one operation. */
  operation: string;
  /**
   * Everything that distinguishes this request from another: validated fields with defaults, and headers that matter. Files are compared by
   * content, so omit their names.
   */
  input: unknown;
  /** Primary key of the row that `run` creates. */
  newId: () => string;
  /** Creates the row under this id. If a concurrent run already created it, the unique violation must propagate. */
  run: (id: string) => Promise<Result>;
  /** Returns what an earlier run created under this id, if it is complete or certain to be completed. */
  recover: (id: string) => Promise<Result | undefined>;
  /** Builds the response body, which is stored as JSON. */
  present: (result: Result) => Body;
}

export interface IdempotentAnswer<Body> {
  body: Body;
  /** True if this is the response to an earlier request. */
  replayed: boolean;
}

/**
 * Runs a request once per key. The reservation holds the id of the row that will be created. After a crash, a retry looks for that id and
 * uses it again if there is no row. Only successes are stored; a request that created nothing frees its key.
 * @throws ApiError `IDEMPOTENCY_KEY_REUSED` for a different request, `IDEMPOTENCY_IN_PROGRESS` while the first one runs or its outcome is
 * unknown
 */
export async function idempotent<Result, Body>(
  deps: Dependencies,
  request: IdempotentRequest<Result, Body>,
): Promise<IdempotentAnswer<Body>> {
  const { organization, key, operation, input, newId, run, present } = request;
  if (key === null) return { body: present(await run(newId())), replayed: false };
  const state = await reserveKey(deps.db, {
    organizationId: organization.id,
    key,
    fingerprint: fingerprintOf(operation, input),
    subjectId: newId(),
    now: deps.clock.now(),
  });
  switch (state.kind) {
    case 'reserved':
      return make(deps, request, state.reservation);
    case 'answered':
      return {
        body: openAnswer<Body>(state.answer, state.subjectId, deps.settings.secretsKeys),
        replayed: true,
      };
    case 'in_progress':
      throw idempotencyInProgress();
    case 'other_request':
      throw idempotencyKeyReused();
    default:
      return assertNever(state);
  }
}

async function make<Result, Body>(
  deps: Dependencies,
  request: IdempotentRequest<Result, Body>,
  reservation: Reservation,
): Promise<IdempotentAnswer<Body>> {
  const { subjectId, isTakenOver } = reservation;
  const made = isTakenOver ? await request.recover(subjectId) : undefined;
  const body = request.present(made ?? (await runOrFree(deps, request, reservation)));
  const answer = sealAnswer(body, subjectId, deps.settings.secretsKeys);
  // The row exists now, and a retry would find it by its id. So don't fail if the response can't be stored.
  await unlessItFails(deps, 'idempotent response not stored', () =>
    storeAnswer(deps.db, reservation, answer, deps.clock.now()),
  );
  return { body, replayed: made !== undefined };
}

async function runOrFree<Result>(
  deps: Dependencies,
  { run }: Pick<IdempotentRequest<Result, unknown>, 'run'>,
  reservation: Reservation,
): Promise<Result> {
  try {
    return await run(reservation.subjectId);
  } catch (error) {
    // Another run with the same key created the row first.
    if (isUniqueViolation(error)) throw idempotencyInProgress(error);
    if (madeNothing(error)) {
      await unlessItFails(deps, 'idempotency key not freed', () =>
        freeKey(deps.db, reservation, deps.clock.now()),
      );
    }
    throw error;
  }
}

/**
 * After any other error, a statement may have succeeded although its result was lost. The key then keeps its lease, and a retry checks the
 * outcome after the lease expires.
 */
const madeNothing = (error: unknown): boolean =>
  error instanceof ApiError || error instanceof TemporalUnavailable || classify(error, 'body').status < 500;

async function unlessItFails(
  { log }: Dependencies,
  message: string,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    log.warn({ code: errorCode(error) }, message);
  }
}
