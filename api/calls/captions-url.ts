import { createHmac, timingSafeEqual } from 'node:crypto';
import { derivedKey } from '../http/derived-key';

/** Every address of captions begins with it. */
export const CAPTIONS_PATH = '/api/live-transcripts/ws/';

/** Where the live captions of one call are heard. The token is the call's own, so no key has to go into a browser. */
export function captionsUrl(
  { publicUrl, secretsKey }: { publicUrl: string; secretsKey: Buffer },
  callId: string,
): string {
  const token = captionsToken(secretsKey, callId);
  return `${publicUrl.replace(/^http/, 'ws')}${CAPTIONS_PATH}${token}/${callId}`;
}

export function isCaptionsToken(secretsKey: Buffer, callId: string, token: string): boolean {
  const expected = Buffer.from(captionsToken(secretsKey, callId));
  const given = Buffer.from(token);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

const captionsToken = (secretsKey: Buffer, callId: string): string =>
  createHmac('sha256', derivedKey(secretsKey, 'live captions')).update(callId).digest('base64url');
