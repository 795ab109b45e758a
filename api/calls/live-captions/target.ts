import { CAPTIONS_PATH } from '../captions-url';

const TOKEN_AND_CALL = /^(?:([A-Za-z0-9._-]{1,64})\/)?([A-Za-z0-9._-]{3,128})$/;
const PLACE = /^\d{1,9}$/;

/** The target of a captions URL. */
export interface CaptionsTarget {
  /** Null if a console session must open the call. */
  token: string | null;
  callId: string;
  /** Last seq that the listener has; 0 if not given, null if it isn't a number. */
  after: number | null;
}

/** Returns null if the URL isn't one of captions. */
export function readTarget(url: string): CaptionsTarget | null {
  const [path = '', query = ''] = url.split('?', 2);
  const [, token, callId] = TOKEN_AND_CALL.exec(path.slice(CAPTIONS_PATH.length)) ?? [];
  if (!path.startsWith(CAPTIONS_PATH) || callId === undefined) return null;
  const after = new URLSearchParams(query).get('after') ?? '0';
  return { token: token ?? null, callId, after: PLACE.test(after) ? Number(after) : null };
}
