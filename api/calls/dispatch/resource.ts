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
        live_captions_url: about(text(), 'Socket of the live transcript'),
      },
      { name: 'DispatchOutput' },
    ),
    error: nothing(),
  },
  { name: 'Dispatched', description: 'A call that was accepted; it waits durably for a free line' },
);
export type DispatchedBody = ValueOf<typeof dispatched>;

export const browserSession = object(
  {
    token: about(text(), 'Credential for the real-time server'),
    room_name: text(),
    agent_name: text(),
    connection_url: about(text(), 'Where the client connects with the token'),
    live_captions_url: about(text(), 'Socket of the live transcript'),
  },
  { name: 'BrowserSession' },
);
export type BrowserSessionBody = ValueOf<typeof browserSession>;
