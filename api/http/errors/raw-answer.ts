import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { ApiError } from './api-error';
import { errorBody } from './answer';

/** Serializes an error for a request that never reaches the app. It closes the connection. */
export function rawAnswer(refusal: ApiError): string {
  const requestId = randomUUID();
  const body = JSON.stringify(errorBody('detail', refusal, { path: '', requestId, now: 0 }));
  return [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Content-Security-Policy: default-src 'none'",
    'X-Content-Type-Options: nosniff',
    `X-Request-Id: ${requestId}`,
    ...Object.entries(refusal.headers).map(([name, value]) => `${name}: ${value}`),
    '',
    body,
  ].join('\r\n');
}
