/** Browser sessions with an agent. Each session is a call that takes a line and is billed. */
import type { Room } from 'livekit-client';
import type { AgentWithConfig } from '../../../sdk/typescript/generated';
import { api, randomKey } from '../api/client';
import { valueAt } from './schema';

/** LiveKit agents receive typed text on this topic. */
const CHAT_TOPIC = 'lk.chat';

export interface SessionRequest {
  agentId: string;
  /** Empty means the platform's default language. */
  language: string;
  /** Values for the variables in the agent's configuration. */
  variables?: Record<string, never>;
}

interface OpenedSession {
  callId: string;
  url: string;
  token: string;
}

/** Creates a call that the browser joins at `url`. */
export async function openBrowserSession({
  agentId,
  language,
  variables = {},
}: SessionRequest): Promise<OpenedSession> {
  const dispatched = await api.post('/api/trigger-call/', {
    idempotencyKey: randomKey(),
    body: {
      agent_id: agentId,
      medium: 'webrtc',
      metadata: variables,
      ...(language !== '' && { primary_language: language }),
    },
  });
  if (!('token' in dispatched)) throw new Error('the API returned no session');
  const { token, room_name: callId, connection_url: url } = dispatched;
  return { callId, url, token };
}

/** Returns the agent's language, or an empty string if none is set. A session without a language runs in Hindi. */
export function languageOf({ config }: AgentWithConfig): string {
  const language = valueAt(config.persona, ['senses_capabilities', 'language']);
  return typeof language === 'string' ? language : '';
}

export const typeInto = (room: Room, text: string): Promise<unknown> =>
  room.localParticipant.sendText(text, { topic: CHAT_TOPIC });

/** Hangs up the call, even while the page is closing. Ignores errors, because the call may already have ended. */
export async function hangUp(callId: string): Promise<void> {
  const request = { path: { call_id: callId }, keepalive: true };
  await api.post('/api/calls/{call_id}/hangup', request).catch(() => undefined);
}
