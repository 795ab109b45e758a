import { type SecretsKeys, issueToken, tokenExpiry, type Signing } from '../../db/kernel/secrets-keys';
import { ADDRESS_VALID_FOR_MS } from '../http/signed-url';

/** Prefix of every captions URL. */
export const CAPTIONS_PATH = '/api/live-transcripts/ws/';

const signing = (keys: SecretsKeys): Signing => ({ keys, purpose: 'live captions' });

/** Returns the URL of a call's live captions, valid for 24 hours. Its token opens only this call, so browsers need no API key. */
export function captionsUrl(
  { publicUrl, secretsKeys }: { publicUrl: string; secretsKeys: SecretsKeys },
  callId: string,
  now: number,
): string {
  const token = issueToken(signing(secretsKeys), { subject: callId, validForMs: ADDRESS_VALID_FOR_MS }, now);
  return `${publicUrl.replace(/^http/, 'ws')}${CAPTIONS_PATH}${token}/${callId}`;
}

export const isCaptionsToken = (
  secretsKeys: SecretsKeys,
  { callId, token }: { callId: string; token: string },
  now: number,
): boolean => tokenExpiry(signing(secretsKeys), callId, token, now) !== null;
