import { conversationOf } from '../../../db/calls/room-calls';
import { recordAudit, type Actor } from '../../../db/organizations/audit';
import type { ApiDependencies } from '../../dependencies';
import type { RouteTools } from '../../dependencies/route-tools';
import { answers, byKey, endpoint, type Endpoint } from '../../http/endpoint';
import { callNotAudible, callNotFound, realtimeNotConfigured } from '../../http/errors/refusals';
import { callIdParam, knownCallId } from '../../http/input/path';
import { about, object } from '../../http/schema/field';
import { text } from '../../http/schema/kinds';
import { listeningToken } from './listening-token';
import { hasConversation } from '../rooms-of-livekit';

const listening = object(
  {
    token: about(text(), 'Token for the real-time server. Join within a minute'),
    room_name: text(),
    connection_url: about(text(), 'URL to connect to with the token'),
  },
  { name: 'ListeningSession' },
);

export const listenInEndpoints = ({ deps }: RouteTools): Endpoint[] => [
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
    answer: answers('A token for the room of the call', listening),
    refusals: [callNotFound(), callNotAudible(), realtimeNotConfigured()],
    handle: ({ params }, organization) =>
      listenIn(deps, {
        callId: knownCallId(params.call_id),
        organizationId: organization.id,
        actor: organization.actor,
      }),
    present: ({ token, room, connectionUrl }) => ({ token, room_name: room, connection_url: connectionUrl }),
  }),
];

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
