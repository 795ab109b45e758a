/** Describes why an attempt failed, for the ledger. API clients read it, so it must not hold addresses, paths or messages of libraries. */
import { types } from 'node:util';
import { AddressRefused } from '../../runtime/network/address-refused';

/** A failure that we detect ourselves. Its message is safe for API clients. */
export class SendFailure extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SendFailure';
  }
}

export const timeOutName = (timeOutMs: number): string => `no response within ${timeOutMs} ms`;

const NAMES: ReadonlyMap<string, string> = new Map([
  ['ERR_INVALID_URL', 'the URL is invalid'],
  ['HPE_HEADER_OVERFLOW', 'the headers of the response are too large'],
  ['CERT_HAS_EXPIRED', 'the certificate has expired'],
  ['CERT_NOT_YET_VALID', 'the certificate is not valid yet'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'the certificate is for another host name'],
  ['EPROTO', 'the TLS handshake failed'],
]);

const UNTRUSTED = /^(DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|CERT_|CRL_|INVALID_CA|INVALID_PURPOSE|HOSTNAME_)/;

export function failureName(error: unknown): string {
  if (error instanceof AddressRefused || error instanceof SendFailure) return error.message;
  if (!types.isNativeError(error)) return 'unknown failure';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null;
  if (code === null) return error.name;
  const name = NAMES.get(code);
  if (name !== undefined) return name;
  if (UNTRUSTED.test(code)) return `the certificate is not trusted (${code})`;
  if (code.startsWith('ERR_SSL_')) return 'the TLS handshake failed';
  if (code.startsWith('HPE_')) return 'the response is not valid HTTP';
  return code;
}
