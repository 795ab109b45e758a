import { about, object, type ValueOf } from '../../http/schema/field';
import { flag, nothing, text } from '../../http/schema/kinds';

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
export type DispatchedBody = ValueOf<typeof dispatched>;

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
export type BrowserSessionBody = ValueOf<typeof browserSession>;
