import { ERROR_CODES, type ErrorCode } from './codes';

/** An invalid input. `loc` starts with `body`, `query`, `path` or `header`. */
export interface InputFault {
  loc: (string | number)[];
  msg: string;
  type: string;
}

interface ApiErrorOptions {
  /** Determines the status. */
  code: ErrorCode;
  message: string;
  /** The invalid inputs of a 422. */
  faults?: InputFault[];
  /** Invalid rows or fields, for the campaign envelope. */
  details?: unknown[];
  /** Total number of invalid rows when `details` holds only the first ones. */
  detailsTotal?: number;
  headers?: Record<string, string>;
  cause?: unknown;
}

/** An error that the API client receives as its response. Any other exception becomes a 500. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: ErrorCode;
  readonly faults: InputFault[] | undefined;
  readonly details: unknown[] | undefined;
  readonly detailsTotal: number | undefined;
  readonly headers: Record<string, string>;

  constructor(options: ApiErrorOptions) {
    super(options.message, { cause: options.cause });
    this.name = 'ApiError';
    this.status = ERROR_CODES[options.code].status;
    this.code = options.code;
    this.faults = options.faults;
    this.details = options.details;
    this.detailsTotal = options.detailsTotal;
    this.headers = options.headers ?? {};
  }
}

/** Enough to correct a request, and few enough to keep a malicious one cheap. */
export const MAX_FAULTS = 20;

/** Checks stop after this many faults, one more than are reported. */
export const ENOUGH_FAULTS = MAX_FAULTS + 1;

/** Returns at most `MAX_FAULTS` faults. If there are more, the last one says so. */
export function reportedFaults(faults: readonly InputFault[]): InputFault[] {
  if (faults.length <= MAX_FAULTS) return [...faults];
  const [place = 'body'] = faults[0]?.loc ?? [];
  const msg = `has more errors; only the first ${MAX_FAULTS - 1} are listed`;
  return [...faults.slice(0, MAX_FAULTS - 1), { loc: [place], msg, type: 'faults.more' }];
}

/** Temporal didn't respond in time. The API responds with 503. */
export class TemporalUnavailable extends Error {
  constructor(cause: unknown) {
    super("Temporal isn't responding", { cause });
    this.name = 'TemporalUnavailable';
  }
}
