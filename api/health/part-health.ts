/** How well a part works that calls need. */
export const PARTS = ['database', 'temporal', 'workers', 'storage', 'livekit', 'carrier'] as const;
export type Part = (typeof PARTS)[number];

export const PART_STATUSES = ['up', 'degraded', 'down'] as const;
export type PartStatus = (typeof PART_STATUSES)[number];

/** The class of the fault. Never its words, which may hold an address or a number. */
export const PART_REASONS = ['no_answer', 'refused', 'read_only', 'not_seen', 'dials_fail'] as const;
export type PartReason = (typeof PART_REASONS)[number];

export interface PartHealth {
  part: Part;
  status: PartStatus;
  /** Null of a part that is up. */
  reason: PartReason | null;
  /** Milliseconds since the epoch; null of a part that is up, and where nobody recorded it. */
  since: number | null;
}

export const up = (part: Part): PartHealth => ({ part, status: 'up', reason: null, since: null });

/** Of the file system, for want of a right, a folder or space. */
const FILE_REFUSALS: ReadonlySet<unknown> = new Set([
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOTDIR',
  'EEXIST',
  'ENOSPC',
]);

/** Whether the part answered, and does not let us do it. */
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

/** 429 is the answer of a server that has too much to do. */
const isRefusal = (status: unknown): boolean =>
  typeof status === 'number' && status >= 400 && status < 500 && status !== 429;
