/** Webhooks in LiveKit's format, for events on Monday. */
import { createHash } from 'node:crypto';
import { AccessToken } from 'livekit-server-sdk';
import { MONDAY } from './test-api';

export const KEY = { apiKey: 'devkey', apiSecret: 'a secret of more than thirty-two characters' };
const SECOND = MONDAY / 1000;

export const CALLEE = {
  sid: 'PA_1',
  identity: 'callee',
  kind: 'SIP',
  joinedAt: String(SECOND),
  joinedAtMs: String(MONDAY),
};
/** The callee of a call that was answered at this time. */
export const calleeSince = (at: number) => ({
  ...CALLEE,
  joinedAt: String(Math.floor(at / 1000)),
  joinedAtMs: String(at),
});
/** A callee who has been talking for a little over a minute. */
export const TALKER = calleeSince(MONDAY - 65_000);
export const BROWSER = { ...CALLEE, identity: 'web-user', kind: 'STANDARD' };
export const AGENT = { ...CALLEE, identity: 'agent-x', kind: 'AGENT' };

export const webhook = (event: string, room: string, fields: object = {}): string =>
  JSON.stringify({
    event,
    room: { sid: 'RM_1', name: room },
    id: `EV_${event}`,
    createdAt: String(SECOND),
    ...fields,
  });

export const left = (room: string, disconnectReason: string, participant: object = CALLEE): string =>
  webhook('participant_left', room, { participant: { ...participant, disconnectReason } });

export async function signature(body: string, secret = KEY.apiSecret): Promise<string> {
  const token = new AccessToken(KEY.apiKey, secret, { ttl: '5m' });
  token.sha256 = createHash('sha256').update(body).digest('base64');
  return token.toJwt();
}
