/** What the agent can do to the call beside speaking; each kind of session implements it. */
export interface CallControls {
  /** Called once the last words were played: the conversation is over now. */
  endCall(): void;
  /** ISO 8601 in UTC, or null when no time was named. */
  requestCallback(atIso: string | null): void;
  /** Transfers the caller to a number or SIP address; false when that is not possible. */
  transfer(to: string): Promise<boolean>;
  /**
   * The secret headers of an action by its name in the configuration, where the call context holds masks. Null when they cannot be had; each
   * request asks anew.
   */
  actionSecrets(action: string): Promise<Readonly<Record<string, string>> | null>;
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
  /** `why` is a fixed sentence that contains nothing of the request. */
  | { kind: 'failed'; why: string };
