import type { ApiDependencies } from '../../dependencies';
import { about, object, type ValueOf } from '../../http/schema/field';
import { flag, nothing, text } from '../../http/schema/kinds';
import { captionsUrl } from '../live-captions/url';
import type { Dispatched } from './dispatch-call';

export const dispatched = object(
  {
    success: about(flag(), 'Always true'),
    message: text(),
    output: object(
      {
        agent_name: text(),
        call_id: about(text(), 'Starts with outbound-'),
        live_captions_url: about(text(), 'WebSocket URL of the live captions'),
      },
      { name: 'DispatchOutput' },
    ),
    error: nothing(),
  },
  { name: 'Dispatched', description: 'An accepted call. It waits for a free line and survives restarts' },
);
type DispatchedBody = ValueOf<typeof dispatched>;

export const browserSession = object(
  {
    token: about(text(), 'Token for the real-time server'),
    room_name: text(),
    agent_name: text(),
    connection_url: about(text(), 'URL to connect to with the token'),
    live_captions_url: about(text(), 'WebSocket URL of the live captions'),
  },
  { name: 'BrowserSession' },
);
type BrowserSessionBody = ValueOf<typeof browserSession>;

export function presentDispatched(
  result: Dispatched,
  { settings, clock }: Pick<ApiDependencies, 'settings' | 'clock'>,
): DispatchedBody | BrowserSessionBody {
  if (result.medium === 'webrtc') {
    return {
      token: result.token,
      room_name: result.roomName,
      agent_name: result.agentName,
      connection_url: result.connectionUrl,
      live_captions_url: captionsUrl(settings, result.roomName, clock.now()),
    };
  }
  return {
    success: true,
    message: 'Call dispatched',
    output: {
      agent_name: result.agentName,
      call_id: result.callId,
      live_captions_url: captionsUrl(settings, result.callId, clock.now()),
    },
    error: null,
  };
}
