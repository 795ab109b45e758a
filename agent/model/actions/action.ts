import type { OutgoingRequest } from '../call-controls';
import type { ArgumentCheck } from './check-arguments';

/** The part of a JSON schema of an object that the model sees. */
export type ParameterSchema = {
  type: 'object';
  properties: Record<string, unknown>;
  required: string[];
  additionalProperties?: unknown;
  definitions?: unknown;
  $defs?: unknown;
};

interface Named {
  /** The name of the tool. */
  name: string;
  /** When to use it. */
  description: string;
}

export interface HttpAction extends Named {
  type: 'http_request';
  /** Its name in the configuration. */
  key: string;
  method: OutgoingRequest['method'];
  /** With `{{name}}` in its path and query only. */
  url: string;
  /** With masks in place of secrets, which the platform gives for each request. */
  headers: Readonly<Record<string, string>>;
  /** A text, or JSON whose texts may contain `{{name}}`; undefined when none is configured. */
  body: unknown;
  parameters: ParameterSchema;
  /** Against the whole schema, as the client wrote it. */
  check: ArgumentCheck;
  withinMs: number;
  /** Spoken when the answer takes long; null for nothing. */
  waitingMessage: string | null;
}

export interface TransferAction extends Named {
  type: 'transfer';
  /** A number in E.164 or a SIP address. */
  to: string;
}

export type Action = HttpAction | TransferAction | (Named & { type: 'end_call' | 'request_callback' });

/** Built-in tools. An action of the same name must be of the same type; it then gives the tool its description. */
export const END_CALL = 'end_call';
export const REQUEST_CALLBACK = 'request_callback';
/** The tool of rules whose handling is `transfer`; the model does not see it. */
export const TRANSFER_BY_RULE = 'transfer_by_rule';

export const isReservedName = ({ name, type }: Action): boolean =>
  name === TRANSFER_BY_RULE || ((name === END_CALL || name === REQUEST_CALLBACK) && name !== type);
