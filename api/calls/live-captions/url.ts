import { issueToken, tokenExpiry, type Signing, type SecretsKeys } from '../../../db/kernel/secrets-keys';
import { ADDRESS_VALID_FOR_MS } from '../../http/auth/signed-url';

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

const TOKEN_AND_CALL = /^(?:([A-Za-z0-9._-]{1,64})\/)?([A-Za-z0-9._-]{3,128})$/;
const PLACE = /^\d{1,9}$/;

/** The parts of a captions URL. */
interface CaptionsTarget {
  /** Null if a console session must open the call. */
  token: string | null;
  callId: string;
  /** Last seq that the listener has received; 0 if the URL names none, null if it isn't a number. */
  after: number | null;
}

/** Returns null if the URL isn't a captions URL. */
export function readTarget(url: string): CaptionsTarget | null {
  const [path = '', query = ''] = url.split('?', 2);
  const [, token, callId] = TOKEN_AND_CALL.exec(path.slice(CAPTIONS_PATH.length)) ?? [];
  if (!path.startsWith(CAPTIONS_PATH) || callId === undefined) return null;
  const after = new URLSearchParams(query).get('after') ?? '0';
  return { token: token ?? null, callId, after: PLACE.test(after) ? Number(after) : null };
}
