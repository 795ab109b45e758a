import { freeKey, reserveKey, storeAnswer, type Reservation } from '../../../db/clients/idempotency-keys';
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
  client: { id: string };
  /** Null runs without any of this. */
  key: string | null;
  /** What is asked for, such as `dispatch`: a key is for one operation. */
  operation: string;
  /**
   * All that makes this request another than the next: validated, defaults filled in, headers that count among it. A file is its
   * bytes; leave out its name.
   */
  input: unknown;
  /** The primary key of what `run` is to make. */
  newId: () => string;
  /** Makes it under this id. May meet its own id, made by another run that is alive: then the unique violation must come out. */
  run: (id: string) => Promise<Result>;
  /** What an earlier run made under this id, complete or sure to be completed; else undefined. */
  recover: (id: string) => Promise<Result | undefined>;
  /** The body of the answer, for JSON. It is stored. */
  present: (result: Result) => Body;
}

export interface IdempotentAnswer<Body> {
  body: Body;
  /** Made for an earlier request. */
  replayed: boolean;
}

/**
 * Runs a request once for its key. The reservation of the key holds the id of what will be made: should this process die in between,
 * a retry after the lease looks for that id, and makes it with the same one if it is not there. So nothing is made twice, whatever
 * dies when. Throws `IDEMPOTENCY_KEY_REUSED` for another request, `IDEMPOTENCY_IN_PROGRESS` while the first runs or its outcome is
 * not known. Only successes are stored: a request that made nothing frees its key.
 */
export async function idempotent<Result, Body>(
  deps: Dependencies,
  request: IdempotentRequest<Result, Body>,
): Promise<IdempotentAnswer<Body>> {
  const { client, key, operation, input, newId, run, present } = request;
  if (key === null) return { body: present(await run(newId())), replayed: false };
  const state = await reserveKey(deps.db, {
    clientId: client.id,
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
  // What was made is made: a retry finds it by its id, should its answer not be stored.
  await unlessItFails(deps, 'answer was not stored', () =>
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
    // Somebody else, before or after us, holds the key too, and made it first.
    if (isUniqueViolation(error)) throw idempotencyInProgress(error);
    if (madeNothing(error)) {
      await unlessItFails(deps, 'idempotency key was not freed', () =>
        freeKey(deps.db, reservation, deps.clock.now()),
      );
    }
    throw error;
  }
}

/**
 * After anything else a statement may have been carried out although its answer was lost. Then the key keeps its lease, and a retry
 * looks at what came of it once that is settled.
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
