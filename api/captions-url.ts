import { createHmac } from 'node:crypto';
import { derivedKey } from './derived-key';

/** Where the live captions of one call are heard. The token is the call's own, so no key has to go into a browser. */
export function captionsUrl(
  { publicUrl, secretsKey }: { publicUrl: string; secretsKey: Buffer },
  callId: string,
): string {
  const token = createHmac('sha256', derivedKey(secretsKey, 'live captions'))
    .update(callId)
    .digest('base64url');
  return `${publicUrl.replace(/^http/, 'ws')}/api/live-transcripts/ws/${token}/${callId}`;
}
