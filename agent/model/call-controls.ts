/** How the agent controls the call. Each kind of session implements it. */
export interface CallControls {
  /** Called once the last words were played. Ends the conversation. */
  endCall(): void;
  /** Takes an ISO 8601 time in UTC, or null when no time was named. */
  requestCallback(atIso: string | null): void;
  /** Transfers the caller to a number or SIP address. Returns false when that is not possible. */
  transfer(to: string): Promise<boolean>;
  /** Fetches the secret headers of an action, which the call context masks. Returns null when they are unavailable. */
  actionSecrets(action: string): Promise<Readonly<Record<string, string>> | null>;
  /** Sends the request of an `http_request` action. It is guarded, so that no configuration reaches a private address. */
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
  /** `why` is a fixed sentence that contains nothing of the request. */
  | { kind: 'failed'; why: string };
