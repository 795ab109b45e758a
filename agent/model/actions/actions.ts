/** The actions of an agent, and the interface through which they control the call. */
import type { JsonObject } from '../../../domain/json';

/** Returns null when the arguments of a tool call match its action, otherwise a sentence for the model. */
export type ArgumentCheck = (args: JsonObject) => string | null;

/** The part of an object's JSON schema that the model sees. */
export type ParameterSchema = {
  type: 'object';
  properties: Record<string, unknown>;
  required: string[];
  additionalProperties?: unknown;
  definitions?: unknown;
  $defs?: unknown;
};

interface Named {
  /** Name of the tool. */
  name: string;
  /** When the model should use it. */
  description: string;
}

export interface HttpAction extends Named {
  type: 'http_request';
  /** Name of the action in the configuration. */
  key: string;
  method: OutgoingRequest['method'];
  /** Can contain `{{name}}`, but only in path and query. */
  url: string;
  /** Secrets are masked; the platform returns them for each request. */
  headers: Readonly<Record<string, string>>;
  /** Text, or JSON whose texts can contain `{{name}}`; undefined when none is configured. */
  body: unknown;
  parameters: ParameterSchema;
  /** Checks arguments against the whole schema as it was configured. */
  check: ArgumentCheck;
  withinMs: number;
  /** Said when the response takes long; null for nothing. */
  waitingMessage: string | null;
}

interface TransferAction extends Named {
  type: 'transfer';
  /** An E.164 number or a SIP address. */
  to: string;
}

export type Action = HttpAction | TransferAction | (Named & { type: 'end_call' | 'request_callback' });

/** Built-in tools. An action with such a name must have the same type; it then replaces the tool's description. */
export const END_CALL = 'end_call';
export const REQUEST_CALLBACK = 'request_callback';
/** The tool of rules whose handling is `transfer`. The model does not see it. */
export const TRANSFER_BY_RULE = 'transfer_by_rule';

export const isReservedName = ({ name, type }: Action): boolean =>
  name === TRANSFER_BY_RULE || ((name === END_CALL || name === REQUEST_CALLBACK) && name !== type);

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
