/** What the agent may do beside talking. Whoever holds the conversation gives it its hands. */
export interface CallControls {
  /** Called once the last words were played: the conversation is over now. */
  endCall(): void;
  /** ISO 8601 in UTC, or null where no time was named. */
  requestCallback(atIso: string | null): void;
  /** Puts the caller through to a number or SIP address; false where that cannot be done. */
  transfer(to: string): Promise<boolean>;
  /** For actions of the type `http_request`: guarded, so that no configuration reaches a private address. */
  request: SendRequest;
}

export type SendRequest = (request: OutgoingRequest) => Promise<RequestOutcome>;

export interface OutgoingRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string | null;
  withinMs: number;
}

export type RequestOutcome =
  | { kind: 'answered'; status: number; contentType: string; body: string; isCut: boolean }
  /** `why` is a fixed sentence without any of the request's own words. */
  | { kind: 'failed'; why: string };
