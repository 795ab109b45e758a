/** One thing wrong with a request: `loc` starts with `body`, `query`, `path` or `header`. */
export interface InputFault {
  loc: (string | number)[];
  msg: string;
  type: string;
}

export interface ApiErrorOptions {
  status: number;
  /** Stable: clients decide by it. */
  code: string;
  message: string;
  /** What is wrong with the input; only of a 422. */
  faults?: InputFault[];
  /** Rows at fault, for the campaign envelope. */
  details?: unknown[];
  /** How many there are where `details` shows only the first. */
  detailsTotal?: number;
  headers?: Record<string, string>;
  cause?: unknown;
}

/** A refusal that the client gets as a response. Anything else that is thrown is a fault of ours. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly faults: InputFault[] | undefined;
  readonly details: unknown[] | undefined;
  readonly detailsTotal: number | undefined;
  readonly headers: Record<string, string>;

  constructor(options: ApiErrorOptions) {
    super(options.message, { cause: options.cause });
    this.name = 'ApiError';
    this.status = options.status;
    this.code = options.code;
    this.faults = options.faults;
    this.details = options.details;
    this.detailsTotal = options.detailsTotal;
    this.headers = options.headers ?? {};
  }
}
