/** Health of the components that calls depend on. */
import type { EndedDial } from '../../db/calls/history';
import { carrierFailed } from '../../domain/call-outcome';
import { withOwnSignal, withTimeout } from '../../runtime/network/time-limit';
import type { ApiDependencies } from '../dependencies';
import { roomService } from '../dependencies/livekit';
import { isReadOnly, sharedCheck } from '../http/health';
import type { LiveKitSettings } from '../settings';

export const PARTS = ['database', 'temporal', 'workers', 'storage', 'livekit', 'carrier'] as const;
type Part = (typeof PARTS)[number];

export const PART_STATUSES = ['up', 'degraded', 'down'] as const;
type PartStatus = (typeof PART_STATUSES)[number];

/** The kind of fault. It never contains the error's message, which may include an address or a number. */
export const PART_REASONS = ['no_answer', 'refused', 'read_only', 'not_seen', 'dials_fail'] as const;
type PartReason = (typeof PART_REASONS)[number];

export interface PartHealth {
  part: Part;
  status: PartStatus;
  /** Null if the part is up. */
  reason: PartReason | null;
  /** Milliseconds since the epoch; null if the part is up or the time is unknown. */
  since: number | null;
}

const up = (part: Part): PartHealth => ({ part, status: 'up', reason: null, since: null });

type HealthDependencies = Pick<ApiDependencies, 'db' | 'temporal' | 'storage' | 'clock'> & {
  settings: Pick<ApiDependencies['settings'], 'livekit'>;
};

const CHECK_TIMEOUT_MS = 1_500;
/** How long a result is reused, so that many requests cause few checks. */
const RESULT_KEPT_MS = 5_000;
/** No such room exists, so LiveKit only looks it up. */
const NO_ROOM = 'health';

/**
 * Checks concurrently the components that all organizations share. Omits components that aren't configured or can't be checked, and never
 * rejects.
 */
export function platformHealth(deps: HealthDependencies): () => Promise<PartHealth[]> {
  const now = (): number => deps.clock.now();
  return sharedCheck(() => checkParts(deps, now()), { keptMs: RESULT_KEPT_MS, now });
}

async function checkParts(
  { db, temporal, storage, settings }: HealthDependencies,
  now: number,
): Promise<PartHealth[]> {
  const found = await Promise.all([
    checkPart('database', async () =>
      (await isReadOnly(db))
        ? { part: 'database', status: 'degraded', reason: 'read_only', since: null }
        : up('database'),
    ),
    checkPart('temporal', async () => {
      await temporal.check();
      return up('temporal');
    }),
    // Only Temporal knows whether workers run, so they are omitted while it is down.
    workersSeen(() => temporal.workersSeenAt(), now),
    checkPart('storage', async (signal) => {
      await storage.check(signal);
      return up('storage');
    }),
    settings.livekit === null ? null : livekitHealth(settings.livekit),
  ]);
  return found.filter((part) => part !== null);
}

async function checkPart(
  part: Part,
  check: (signal: AbortSignal) => Promise<PartHealth>,
): Promise<PartHealth> {
  try {
    return await withOwnSignal(undefined, (signal) => withTimeout(CHECK_TIMEOUT_MS, check(signal)));
  } catch (error) {
    return { part, status: 'down', reason: reasonOf(error), since: null };
  }
}

async function workersSeen(seenAt: () => Promise<number | null>, now: number): Promise<PartHealth | null> {
  try {
    return workerHealth(await withTimeout(CHECK_TIMEOUT_MS, seenAt()), now);
  } catch {
    return null;
  }
}

const livekitHealth = (settings: LiveKitSettings): Promise<PartHealth> =>
  checkPart('livekit', async () => {
    await roomService(settings, CHECK_TIMEOUT_MS / 1000).listRooms([NO_ROOM]);
    return up('livekit');
  });

/** File system errors for a missing permission, folder or space. */
const FILE_REFUSALS: ReadonlySet<unknown> = new Set([
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOTDIR',
  'EEXIST',
  'ENOSPC',
]);

/** Returns whether the component refused the request or didn't respond at all. */
function reasonOf(error: unknown): 'refused' | 'no_answer' {
  if (typeof error !== 'object' || error === null) return 'no_answer';
  const { code, status, $metadata, cause } = error as {
    code?: unknown;
    status?: unknown;
    $metadata?: { httpStatusCode?: unknown };
    cause?: unknown;
  };
  if (FILE_REFUSALS.has(code) || isRefusal(status) || isRefusal($metadata?.httpStatusCode)) return 'refused';
  return reasonOf(cause);
}

/** 429 means that the server is overloaded. */
const isRefusal = (status: unknown): boolean =>
  typeof status === 'number' && status >= 400 && status < 500 && status !== 429;

/** Fewer failed dials may be coincidence. */
const MIN_DIALS = 3;

/**
 * Rates the carrier by the organization's latest dials, newest first: down if all failed, degraded if at least half failed. Returns null if
 * there are too few dials.
 */
export function carrierHealth(dials: readonly EndedDial[]): PartHealth | null {
  const judged = dials.flatMap(({ endReason, endedAt }) => {
    const hasFailed = carrierFailed(endReason);
    return hasFailed === null ? [] : [{ hasFailed, endedAt }];
  });
  if (judged.length < MIN_DIALS) return null;
  const failed = judged.filter(({ hasFailed }) => hasFailed);
  if (failed.length * 2 < judged.length) return up('carrier');
  return {
    part: 'carrier',
    status: failed.length === judged.length ? 'down' : 'degraded',
    reason: 'dials_fail',
    since: failed.at(-1)?.endedAt.getTime() ?? null,
  };
}

/** An idle worker polls once a minute. */
const MAX_IDLE_MS = 90_000;

/** Rates the workers by their last poll for a task. `seenAt` is null if Temporal has recorded none. */
function workerHealth(seenAt: number | null, now: number): PartHealth {
  if (seenAt === null) return { part: 'workers', status: 'down', reason: 'not_seen', since: null };
  if (now - seenAt <= MAX_IDLE_MS) return up('workers');
  return { part: 'workers', status: 'degraded', reason: 'not_seen', since: seenAt };
}
