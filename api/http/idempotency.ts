import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import Joi from 'joi';
import { freeKey, reserveKey, storeAnswer, type Reservation } from '../../db/organizations/idempotency-keys';
import { assertNever } from '../../domain/assert-never';
import type { Db } from '../../db/kernel/connection';
import { type SecretsKeys, open, seal, type Lock } from '../../db/kernel/secrets-keys';
import type { Clock } from '../../runtime/clock';
import { ApiError, TemporalUnavailable } from './errors/api-error';
import { classify, isUniqueViolation } from './errors/answer';
import { errorCode } from '../../db/kernel/error-code';
import { idempotencyInProgress, idempotencyKeyReused } from './errors/refusals';
import { about, optional, typed } from './schema/field';
import type { ApiContext } from './context';

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
      return createOnce(deps, request, state.reservation);
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

async function createOnce<Result, Body>(
  deps: Dependencies,
  request: IdempotentRequest<Result, Body>,
  reservation: Reservation,
): Promise<IdempotentAnswer<Body>> {
  const { subjectId, isTakenOver } = reservation;
  const recovered = isTakenOver ? await request.recover(subjectId) : undefined;
  const body = request.present(recovered ?? (await runOrFreeKey(deps, request, reservation)));
  const answer = sealAnswer(body, subjectId, deps.settings.secretsKeys);
  // The row exists now, and a retry would find it by its id. Don't fail only because the response can't be stored.
  await ignoringFailure(deps, 'idempotent response not stored', () =>
    storeAnswer(deps.db, reservation, answer, deps.clock.now()),
  );
  return { body, replayed: recovered !== undefined };
}

async function runOrFreeKey<Result>(
  deps: Dependencies,
  { run }: Pick<IdempotentRequest<Result, unknown>, 'run'>,
  reservation: Reservation,
): Promise<Result> {
  try {
    return await run(reservation.subjectId);
  } catch (error) {
    // Another run with the same key created the row first.
    if (isUniqueViolation(error)) throw idempotencyInProgress(error);
    if (createdNothing(error)) {
      await ignoringFailure(deps, 'idempotency key not freed', () =>
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
const createdNothing = (error: unknown): boolean =>
  error instanceof ApiError || error instanceof TemporalUnavailable || classify(error, 'body').status < 500;

async function ignoringFailure(
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

/** Response header. `true` if this is the response to an earlier request. */
const REPLAYED = 'Idempotent-Replayed';

const VISIBLE = 'must be 1 to 255 visible ASCII characters, without spaces';

/** Request header. An empty value is rejected, because the API client expects it to protect the request. */
export const idempotencyKey = about(
  optional(
    typed<string>(
      Joi.string()
        .pattern(/^[!-~]+$/)
        .max(255)
        .messages({ 'string.empty': VISIBLE, 'string.pattern.base': VISIBLE }),
    ),
  ),
  'Makes retries safe: for 24 hours, a request with the same key gets the first response again and creates nothing. Use a new key for each request, such as a UUID',
);

/** Returns the body as it was first sent. A header marks a replayed response. */
export function presentIdempotent<Body>({ body, replayed }: IdempotentAnswer<Body>, ctx: ApiContext): Body {
  if (replayed) ctx.set(REPLAYED, 'true');
  return body;
}

/**
 * Returns the same hash for requests with the same fields in any order. An undefined field is the same as a missing one. `input` is the
 * validated request: JSON values, dates, and bytes, which are hashed by content.
 */
export function fingerprintOf(operation: string, input: unknown): Buffer {
  return createHash('sha256')
    .update(canonical([operation, input]))
    .digest();
}

function canonical(value: unknown): string {
  if (ArrayBuffer.isView(value)) return bytes(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value instanceof Date) return JSON.stringify(value);
  if (typeof value === 'object' && value !== null) return object(value);
  if (value === undefined) return 'null';
  if (
    value === null ||
    typeof value === 'string' ||
    typeof value === 'number' ||
    typeof value === 'boolean'
  ) {
    return JSON.stringify(value);
  }
  throw new TypeError(`a ${typeof value} has no fingerprint`);
}

function object(value: object): string {
  // A Map or Set has no own fields, so they would all have the same hash.
  const kind = Object.prototype.toString.call(value);
  if (kind !== '[object Object]') throw new TypeError(`an ${kind} has no fingerprint`);
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  const sorted = fields.sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${sorted.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join(',')}}`;
}

/** The result isn't JSON, so no string value can have the same fingerprint as a file. */
function bytes(value: ArrayBufferView): string {
  const content = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  return `sha256(${createHash('sha256').update(content).digest('hex')})`;
}

/**
 * Encrypts a stored response, because it holds credentials (media and captions tokens, signed URLs) and e-mail addresses. It is bound to
 * the subject, so it can't be decrypted in another row.
 */
export const sealAnswer = (body: unknown, subjectId: string, secretsKeys: SecretsKeys): Buffer =>
  seal(JSON.stringify(body), answerLock(secretsKeys, subjectId));

/** `Body` must be the type that was sealed. Throws if `secretsKeys` lacks the key that it was sealed with. */
export const openAnswer = <Body>(sealed: Buffer, subjectId: string, secretsKeys: SecretsKeys): Body =>
  JSON.parse(open(sealed, answerLock(secretsKeys, subjectId))) as Body;

export const answerLock = (keys: SecretsKeys, subject: string): Lock => ({
  keys,
  purpose: 'idempotency answers',
  subject,
});
