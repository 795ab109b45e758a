import { randomBytes } from 'node:crypto';
import { conversationOf } from '../../db/calls/room-calls';
import { recordAudit, type Actor } from '../../db/organizations/audit';
import type { ApiDependencies, RouteTools } from '../dependencies';
import { hasConversation, livekit } from '../dependencies/livekit';
import { answers, byKey, endpoint } from '../http/endpoint';
import { callIdParam, knownCallId } from '../http/input/fields';
import { text } from '../http/schema/kinds';
import { callNotAudible, callNotFound, realtimeNotConfigured } from '../http/errors/refusals';
import { about, object } from '../http/schema/field';
import type { LiveKitSettings } from '../settings';

const listeningSession = object(
  {
    token: about(text(), 'Token for the real-time server. Join within a minute'),
    room_name: text(),
    connection_url: about(text(), 'URL to connect to with the token'),
  },
  { name: 'ListeningSession' },
);

export const listening = ({ deps }: RouteTools) =>
  endpoint({
    method: 'post',
    path: '/api/calls/:call_id/listen',
    tag: 'Calls',
    summary: 'Listen to a live call',
    description:
      'Returns a token with which one listener can hear the room, hidden and muted. Listeners do not affect the call. Only calls over LiveKit can be heard.',
    access: byKey,
    scope: 'operate',
    input: { params: callIdParam },
    answer: answers('A token for the room of the call', listeningSession),
    refusals: [callNotFound(), callNotAudible(), realtimeNotConfigured()],
    handle: ({ params }, organization) =>
      listenIn(deps, {
        callId: knownCallId(params.call_id),
        organizationId: organization.id,
        actor: organization.actor,
      }),
    present: ({ token, room, connectionUrl }) => ({ token, room_name: room, connection_url: connectionUrl }),
  });

interface Listener {
  callId: string;
  organizationId: string;
  actor: Actor;
}

async function listenIn(
  { db, settings, clock }: Pick<ApiDependencies, 'db' | 'settings' | 'clock'>,
  { callId, organizationId, actor }: Listener,
): Promise<{ token: string; room: string; connectionUrl: string }> {
  const call = await conversationOf(db, { callId, organizationId });
  if (call === undefined) throw callNotFound();
  const { livekit } = settings;
  if (livekit === null) throw realtimeNotConfigured();
  // Check that the room exists, because joining with the token would create it.
  if (call.room === null || !(await hasConversation(livekit, call.room))) throw callNotAudible();
  await recordAudit(db, {
    organizationId,
    actor,
    action: 'call.listen',
    subjectId: callId,
    now: clock.now(),
  });
  const token = await listeningToken(livekit, call.room);
  return { token, room: call.room, connectionUrl: livekit.publicUrl.replace(/^http/, 'ws') };
}

/** How long the token can be used to join. LiveKit renews the token of a participant who has joined. */
const JOIN_TIMEOUT_S = 60;

/**
 * Creates a token for a hidden listener. It joins as an egress participant, which is neither a person nor an agent
 * (`domain/room-participants.ts`). LiveKit doesn't show it to others, and closes a room in which it is alone.
 */
function listeningToken({ apiKey, apiSecret }: LiveKitSettings, room: string): Promise<string> {
  const identity = `listener-${randomBytes(8).toString('hex')}`;
  const token = new (livekit().AccessToken)(apiKey, apiSecret, { identity, ttl: JOIN_TIMEOUT_S });
  token.kind = 'egress';
  token.addGrant({
    roomJoin: true,
    room,
    hidden: true,
    canSubscribe: true,
    canPublish: false,
    canPublishData: false,
    canUpdateOwnMetadata: false,
  });
  return token.toJwt();
}
