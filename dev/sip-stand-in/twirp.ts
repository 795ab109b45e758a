/** Twirp errors, the error format of LiveKit's API. */

/** The codes that the SIP service uses, with Twirp's HTTP status for them. */
const HTTP_STATUS = {
  aborted: 409,
  bad_route: 404,
  canceled: 408,
  deadline_exceeded: 408,
  failed_precondition: 412,
  internal: 500,
  invalid_argument: 400,
  malformed: 400,
  not_found: 404,
  permission_denied: 403,
  resource_exhausted: 429,
  unauthenticated: 401,
  unavailable: 503,
} as const;

export type TwirpCode = keyof typeof HTTP_STATUS;

export class TwirpError extends Error {
  override name = 'TwirpError';

  constructor(
    readonly code: TwirpCode,
    message: string,
    readonly meta?: Readonly<Record<string, string>>,
  ) {
    super(message);
  }

  get status(): number {
    return HTTP_STATUS[this.code];
  }

  get body(): Record<string, unknown> {
    return { code: this.code, msg: this.message, ...(this.meta === undefined ? {} : { meta: this.meta }) };
  }
}
