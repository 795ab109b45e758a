/** LiveKit's own clients. None of them retries, and none goes to another region: what was asked twice may ring twice. */
import { AccessToken, AgentDispatchClient, RoomServiceClient, SipClient } from 'livekit-server-sdk';
import type { LiveKitOptions } from './options';

const ANSWER_WITHIN_S = 5;

export interface LiveKitClients {
  rooms: RoomServiceClient;
  sip: SipClient;
  dispatches: AgentDispatchClient;
}

type Server = Pick<LiveKitOptions, 'url' | 'apiKey' | 'apiSecret'>;

export function livekitClients({ url, apiKey, apiSecret }: Server): LiveKitClients {
  const options = { requestTimeout: ANSWER_WITHIN_S, failover: false };
  return {
    rooms: new RoomServiceClient(url, apiKey, apiSecret, options),
    sip: new SipClient(url, apiKey, apiSecret, options),
    dispatches: new AgentDispatchClient(url, apiKey, apiSecret, options),
  };
}

/** How long past its end LiveKit still takes a token, as clocks differ. */
export const TOKEN_LEEWAY_MS = 60_000;

/**
 * The right to ask for one call, which ends with `notAfter` of LiveKit's clock (and its leeway): a request that comes late is refused at
 * the door. It is what makes a request whose fate is unknown safe to repeat at all.
 */
export async function dialClient({ url, apiKey, apiSecret }: Server, notAfter: Date): Promise<SipClient> {
  const token = new AccessToken(apiKey, apiSecret);
  // A number given to the constructor would be seconds from now, by our clock; assigned, it is the instant.
  token.ttl = Math.ceil(notAfter.getTime() / 1000);
  token.addSIPGrant({ call: true });
  return new SipClient(url, undefined, undefined, { token: await token.toJwt(), failover: false });
}
