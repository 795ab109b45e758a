import { CARRIER_CODES } from './carrier-codes';
import { CONTACT_CODES } from './contact-codes';

/** Describes an error code for `docs/errors.md`. */
interface ErrorDescription {
  status: number;
  group: ErrorGroup;
  /** When the error occurs, as one or more sentences in Markdown. */
  when: string;
  /** How the API client can fix it. */
  fix: string;
}

/** Sections of `docs/errors.md`, in this order. */
export const ERROR_GROUPS = [
  'Authentication',
  'Requests',
  'Limits',
  'Agents',
  'Calls',
  'Campaigns',
  'Rules',
  'Contacts',
  'Webhooks and account',
  'Service',
  'Carriers and agent processes',
] as const;
type ErrorGroup = (typeof ERROR_GROUPS)[number];

/** Every error code and its status. `npm run pages` generates the tables of `docs/errors.md` from it. */
export const ERROR_CODES = {
  MISSING_API_KEY: {
    status: 401,
    group: 'Authentication',
    when: 'The request has neither an `X-API-Key` header nor a console session.',
    fix: 'Send the API key in the `X-API-Key` header.',
  },
  INVALID_API_KEY: {
    status: 401,
    group: 'Authentication',
    when: 'The API key is wrong, expired or revoked.',
    fix: 'Use a valid key. The operator, or a key with the scope `configure`, can create one.',
  },
  INSUFFICIENT_SCOPE: {
    status: 403,
    group: 'Authentication',
    when: 'The API key lacks the scope that the endpoint needs.',
    fix: 'Use a key with the scope named in the message.',
  },
  INVALID_SIGNATURE: {
    status: 401,
    group: 'Authentication',
    when: 'The signature of a recording, transcript, contact file or captions URL is wrong or has expired.',
    fix: 'Fetch the call or campaign again to get a new URL. Signed URLs are valid for 24 hours.',
  },
  INVALID_SESSION: {
    status: 401,
    group: 'Authentication',
    when: 'The console session is missing or has ended.',
    fix: 'Sign in again.',
  },
  INVALID_SIGN_IN_TOKEN: {
    status: 401,
    group: 'Authentication',
    when: 'The sign-in link was already used, has expired, or belongs to an API key that is no longer valid.',
    fix: 'Ask the operator for a new link.',
  },
  CSRF_TOKEN_INVALID: {
    status: 403,
    group: 'Authentication',
    when: 'A write request with a console session has a missing or wrong `X-CSRF-Token`.',
    fix: 'Send the `csrf_token` of the session.',
  },
  FOREIGN_ORIGIN: {
    status: 403,
    group: 'Authentication',
    when: 'A page from another origin tried to open the captions WebSocket with a console session.',
    fix: 'Use the `live_captions_url` of the dispatch response, which needs no session.',
  },
  NOT_FOUND: {
    status: 404,
    group: 'Requests',
    when: 'There is no endpoint at this path.',
    fix: 'Check the path. Paths are case-sensitive.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    group: 'Requests',
    when: 'The path does not support the method.',
    fix: 'Use a method listed in the `Allow` header.',
  },
  VALIDATION_ERROR: {
    status: 422,
    group: 'Requests',
    when: 'A parameter, header or field is missing, has the wrong type or is out of range.',
    fix: 'Correct the fields that the response names.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    group: 'Requests',
    when: 'The `Content-Type` or `Content-Encoding` of the body is not supported.',
    fix: 'Use the type named in the message.',
  },
  INVALID_ENCODING: {
    status: 400,
    group: 'Requests',
    when: 'The body is not valid UTF-8.',
    fix: 'Encode the body in UTF-8.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    group: 'Requests',
    when: "The body is larger than the endpoint's limit (usually 1 MiB), a form field is larger than 10 KiB, or the form has more than 100 fields.",
    fix: 'Send less data.',
  },
  MALFORMED_REQUEST: {
    status: 400,
    group: 'Requests',
    when: 'The request is not valid HTTP.',
    fix: 'Check the HTTP client and the proxies in between.',
  },
  HEADERS_TOO_LARGE: {
    status: 431,
    group: 'Requests',
    when: 'The headers are larger than 16 KiB.',
    fix: 'Send fewer or shorter headers.',
  },
  REQUEST_TIMEOUT: {
    status: 408,
    group: 'Requests',
    when: 'The headers or the body arrived too slowly.',
    fix: 'Retry over a faster connection.',
  },
  IDEMPOTENCY_IN_PROGRESS: {
    status: 409,
    group: 'Requests',
    when: 'The first request with this `Idempotency-Key` is still being processed, or its outcome is not yet known.',
    fix: 'Wait the number of seconds in `Retry-After`, then retry with the same key.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    group: 'Requests',
    when: 'The `Idempotency-Key` was already used for a different request.',
    fix: 'Use a new key for each request.',
  },
  RATE_LIMITED: {
    status: 429,
    group: 'Limits',
    when: 'The organization has reached its limit of requests per minute, or too many API clients are watching progress or captions.',
    fix: 'Wait the number of seconds in `Retry-After`, then retry. `GET /api/limits` shows the limits.',
  },
  QUOTA_EXCEEDED: {
    status: 409,
    group: 'Limits',
    when: "The request would exceed one of the organization's quotas.",
    fix: 'Delete data or ask the operator to raise the quota. `GET /api/limits` shows quotas and usage.',
  },
  SPEND_LIMIT_REACHED: {
    status: 402,
    group: 'Limits',
    when: 'The organization has reached its daily spend limit.',
    fix: 'Dispatch again tomorrow (UTC) or ask the operator to raise the limit.',
  },
  AGENT_NOT_FOUND: {
    status: 404,
    group: 'Agents',
    when: 'The organization has no agent with this id or name, or the agent is archived.',
    fix: 'Check the id or name with `GET /api/agents`.',
  },
  VERSION_NOT_FOUND: {
    status: 404,
    group: 'Agents',
    when: 'The agent has no version with this number, or the version was deleted.',
    fix: 'Choose a version that `GET /api/agent/{agent_id}/versions` lists.',
  },
  NUMBER_IN_USE: {
    status: 409,
    group: 'Agents',
    when: 'Another agent already answers the inbound number.',
    fix: 'Use another number, or remove it from the other agent first.',
  },
  NUMBER_NOT_YOURS: {
    status: 422,
    group: 'Agents',
    when: "The organization isn't allowed to make or answer calls with this number. Dispatch, campaign create and campaign resume also return this code if one of the agent's numbers isn't allowed.",
    fix: 'Use one of your numbers (`GET /api/limits`), or ask the operator to register it.',
  },
  CALL_NOT_FOUND: {
    status: 404,
    group: 'Calls',
    when: 'The organization has no call with this id, or the id is malformed.',
    fix: 'Check the id with `GET /api/call-history`.',
  },
  OUTBOUND_NUMBER_NOT_ALLOWED: {
    status: 422,
    group: 'Calls',
    when: "`outbound_number` is not one of the agent's outbound numbers.",
    fix: "Use a number from the agent's `deployment` section, or leave the field out.",
  },
  REALTIME_NOT_CONFIGURED: {
    status: 503,
    group: 'Calls',
    when: 'No media server is configured. Browser calls and live listening need one.',
    fix: 'Ask the operator to configure LiveKit.',
  },
  CALL_NOT_AUDIBLE: {
    status: 409,
    group: 'Calls',
    when: "The call isn't answered yet, has ended, or doesn't run over LiveKit.",
    fix: 'If the call is still ringing, retry once it is answered.',
  },
  TRANSCRIPT_NOT_FOUND: {
    status: 404,
    group: 'Calls',
    when: 'The call is still in progress, nothing was said, or the transcript was deleted.',
    fix: 'Retry once `call_transcription` of the call is set.',
  },
  RECORDING_NOT_FOUND: {
    status: 404,
    group: 'Calls',
    when: 'The call has no recording, or it was deleted.',
    fix: 'Retry once `recording_api` of the call is set.',
  },
  RANGE_NOT_SATISFIABLE: {
    status: 416,
    group: 'Calls',
    when: 'The `Range` starts past the end of the recording.',
    fix: 'Request a range within the size given by `Content-Range`.',
  },
  CAMPAIGN_NOT_FOUND: {
    status: 404,
    group: 'Campaigns',
    when: 'The organization has no campaign with this id.',
    fix: 'Check the id with `GET /api/campaigns/`.',
  },
  CAMPAIGN_NOT_EDITABLE: {
    status: 409,
    group: 'Campaigns',
    when: 'The campaign is completed or cancelled, so it cannot be updated, paused, cancelled or forecast.',
    fix: 'Create a new campaign.',
  },
  CAMPAIGN_NOT_PAUSED: {
    status: 409,
    group: 'Campaigns',
    when: 'The campaign is not paused.',
    fix: "Check `campaign_status`. An active campaign doesn't need to be resumed.",
  },
  NO_FIELDS_TO_UPDATE: {
    status: 400,
    group: 'Campaigns',
    when: 'The update contains no field that can be changed. It has no effect and does not pause the campaign.',
    fix: 'Send at least one field of the campaign.',
  },
  INVALID_TIME_WINDOW: {
    status: 400,
    group: 'Campaigns',
    when: '`end_time` is not after `start_time`, or one of them is outside the legal window.',
    fix: 'Choose times within the window named in the message. They are in UTC or in `window_timezone`.',
  },
  CONCURRENCY_EXCEEDED: {
    status: 400,
    group: 'Campaigns',
    when: "`concurrency` exceeds the organization's maximum.",
    fix: 'Lower it to the `max_concurrency` that `GET /api/limits` returns.',
  },
  INVALID_DATE_RANGE: {
    status: 400,
    group: 'Campaigns',
    when: '`from_date` is after `to_date`, or `to_date` is in the past.',
    fix: 'Correct the dates. They are in UTC or in `window_timezone`.',
  },
  NO_DAYS_SELECTED: {
    status: 400,
    group: 'Campaigns',
    when: '`days_of_week` contains no weekday.',
    fix: 'Send at least one lowercase weekday name.',
  },
  INVALID_RETRY_CONFIG: {
    status: 400,
    group: 'Campaigns',
    when: '`max_retries` or `retry_delay_mins` is out of range.',
    fix: 'Use 1 to 10 attempts and a delay of 0 to 1440 minutes.',
  },
  TOO_MANY_EMAILS: {
    status: 400,
    group: 'Campaigns',
    when: '`notification_emails` contains more than five addresses.',
    fix: 'Send at most five addresses.',
  },
  INVALID_CONTACT_FILE: {
    status: 400,
    group: 'Campaigns',
    when: 'The contact file has invalid rows or columns, or cannot be read. No contact was stored.',
    fix: 'Correct the rows in `details` and send the file again. `POST /api/campaigns/contact-file/preview` checks a file without storing it.',
  },
  NO_CONTACTS: {
    status: 400,
    group: 'Campaigns',
    when: 'The contact file or list contains no contacts.',
    fix: 'Add at least one row below the header, or add contacts to the list.',
  },
  TOO_MANY_CONTACTS: {
    status: 400,
    group: 'Campaigns',
    when: 'The contact file contains more than 10,000 contacts, or a forecast would simulate more than 100,000.',
    fix: 'Split the file into several campaigns. Repeat the forecast once fewer contacts remain.',
  },
  FILE_TOO_LARGE: {
    status: 413,
    group: 'Campaigns',
    when: 'The contact file is larger than 10 MiB. A CSV file for a contact list can have 256 MiB.',
    fix: 'Remove unused columns, or split the file.',
  },
  FILE_NOT_FOUND: {
    status: 404,
    group: 'Campaigns',
    when: 'The contact file is no longer stored, because its retention period has ended.',
    fix: 'Use your own copy of the file.',
  },
  ...CONTACT_CODES,
  DELIVERY_NOT_FOUND: {
    status: 404,
    group: 'Webhooks and account',
    when: 'The organization has no webhook delivery with this id.',
    fix: 'Check the id with `GET /api/webhook-deliveries`.',
  },
  TOO_MANY_SECRETS: {
    status: 409,
    group: 'Webhooks and account',
    when: 'Two signing secrets are already valid.',
    fix: 'Wait until one expires, or rotate with `overlap_hours: 0`.',
  },
  KEY_NOT_FOUND: {
    status: 404,
    group: 'Webhooks and account',
    when: 'The organization has no API key with this id.',
    fix: 'Check the id with `GET /api/keys`.',
  },
  TOO_MANY_KEYS: {
    status: 409,
    group: 'Webhooks and account',
    when: 'The organization already has the maximum number of valid API keys.',
    fix: 'Revoke an unused key first.',
  },
  SESSION_NOT_FOUND: {
    status: 404,
    group: 'Webhooks and account',
    when: 'The API key has no open console session with this id.',
    fix: 'Check the id with `GET /api/keys/{key_id}/sessions`.',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    group: 'Service',
    when: 'Postgres, Temporal or the storage is unavailable, or too many requests are in progress. Nothing was changed, unless the message says otherwise.',
    fix: 'Wait the number of seconds in `Retry-After`, then retry.',
  },
  INTERNAL_ERROR: {
    status: 500,
    group: 'Service',
    when: 'An unexpected error occurred in the service.',
    fix: "Send the response's `X-Request-Id` to the operator.",
  },
  ...CARRIER_CODES,
} as const satisfies Readonly<Record<string, ErrorDescription>>;

export type ErrorCode = keyof typeof ERROR_CODES;
