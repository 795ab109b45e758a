/** The actions of an agent, and the interface with which they control the call. */
import type { JsonObject } from '../../../domain/json';

/** Returns null when the arguments of a tool call are valid. If they aren't, returns a sentence that tells the model what is wrong. */
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
  name: string;
  /** Tells the model when to use the tool. */
  description: string;
}

export interface HttpAction extends Named {
  type: 'http_request';
  key: string;
  method: OutgoingRequest['method'];
  /** Can contain `{{name}}` placeholders, but only in the path and the query. */
  url: string;
  /** Secrets are masked. The agent fetches them from the platform for each request. */
  headers: Readonly<Record<string, string>>;
  /** A string, or a JSON value whose strings can contain `{{name}}`. Undefined when none is configured. */
  body: unknown;
  parameters: ParameterSchema;
  /** Checks arguments against the complete configured schema. */
  check: ArgumentCheck;
  withinMs: number;
  /** Spoken when the response takes long. Null for no message. */
  waitingMessage: string | null;
}

interface TransferAction extends Named {
  type: 'transfer';
  /** An E.164 number or a SIP address. */
  to: string;
}

export type Action = HttpAction | TransferAction | (Named & { type: 'end_call' | 'request_callback' });

/** Built-in tools. An action with the same name must have the same type, and replaces the tool's description. */
export const END_CALL = 'end_call';
export const REQUEST_CALLBACK = 'request_callback';
/** The tool that guardrail rules with the handling `transfer` call. The model does not see it. */
export const TRANSFER_BY_RULE = 'transfer_by_rule';

export const isReservedName = ({ name, type }: Action): boolean =>
  name === TRANSFER_BY_RULE || ((name === END_CALL || name === REQUEST_CALLBACK) && name !== type);

/** Lets the agent control the call. Each kind of session implements it. */
export interface CallControls {
  /** Ends the conversation. Call it after the last words have been played. */
  endCall(): void;
  /** Takes an ISO 8601 time in UTC, or null when the caller named no time. */
  requestCallback(atIso: string | null): void;
  /** Transfers the caller to a number or SIP address. Returns false when the call can't be transferred. */
  transfer(to: string): Promise<boolean>;
  /** Fetches the secret headers that are masked in the call context. Returns null when they are unavailable. */
  actionSecrets(action: string): Promise<Readonly<Record<string, string>> | null>;
  /** Sends the request of an `http_request` action. It never connects to a private address. */
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
  /** `why` is a fixed sentence that contains no data of the request. */
  | { kind: 'failed'; why: string };
