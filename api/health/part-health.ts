/** Health of the parts that calls depend on. */
export const PARTS = ['database', 'temporal', 'workers', 'storage', 'livekit', 'carrier'] as const;
export type Part = (typeof PARTS)[number];

export const PART_STATUSES = ['up', 'degraded', 'down'] as const;
export type PartStatus = (typeof PART_STATUSES)[number];

/** The kind of fault. Never the error's message, which may contain an address or a number. */
export const PART_REASONS = ['no_answer', 'refused', 'read_only', 'not_seen', 'dials_fail'] as const;
export type PartReason = (typeof PART_REASONS)[number];

export interface PartHealth {
  part: Part;
  status: PartStatus;
  /** Null if the part is up. */
  reason: PartReason | null;
  /** Milliseconds since the epoch; null if the part is up or the time is unknown. */
  since: number | null;
}

export const up = (part: Part): PartHealth => ({ part, status: 'up', reason: null, since: null });

/** File system errors for a missing permission, folder or space. */
const FILE_REFUSALS: ReadonlySet<unknown> = new Set([
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOTDIR',
  'EEXIST',
  'ENOSPC',
]);

/** Tells whether the part responded with a refusal or not at all. */
export function reasonOf(error: unknown): 'refused' | 'no_answer' {
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
