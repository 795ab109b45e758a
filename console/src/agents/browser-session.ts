/** Sessions with an agent in the browser. Each is a call that holds a line and has a cost. */
import type { Room } from 'livekit-client';
import type { AgentWithConfig } from '../../../sdk/typescript/generated';
import { api, randomKey } from '../api/client';
import { valueAt } from './schema';

/** Topic on which LiveKit's agents receive typed text. */
const CHAT_TOPIC = 'lk.chat';

export interface WantedSession {
  agentId: string;
  /** Empty for the platform's default. */
  language: string;
  /** Values of the variables in the agent's configuration. */
  variables?: Record<string, never>;
}

export interface OpenedSession {
  callId: string;
  url: string;
  token: string;
}

/** Creates a call that the browser joins at `url`. */
export async function openBrowserSession({
  agentId,
  language,
  variables = {},
}: WantedSession): Promise<OpenedSession> {
  const dispatched = await api.post('/api/trigger-call/', {
    idempotencyKey: randomKey(),
    body: {
      agent_id: agentId,
      medium: 'webrtc',
      metadata: variables,
      ...(language !== '' && { primary_language: language }),
    },
  });
  if (!('token' in dispatched)) throw new Error('the dispatch created no session');
  const { token, room_name: callId, connection_url: url } = dispatched;
  return { callId, url, token };
}

/** Returns the agent's language; empty if it is unset. Without a language a session is in Hindi. */
export function languageOf({ config }: AgentWithConfig): string {
  const language = valueAt(config.persona, ['senses_capabilities', 'language']);
  return typeof language === 'string' ? language : '';
}

export const typeInto = (room: Room, text: string): Promise<unknown> =>
  room.localParticipant.sendText(text, { topic: CHAT_TOPIC });

/** Completes even while the page is being closed. A call that is already over makes no difference. */
export async function hangUp(callId: string): Promise<void> {
  const request = { path: { call_id: callId }, keepalive: true };
  await api.post('/api/calls/{call_id}/hangup', request).catch(() => undefined);
}
