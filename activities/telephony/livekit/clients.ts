/** LiveKit's API clients, without retries or failover to another region, because a repeated dial could ring twice. */
import { AccessToken, AgentDispatchClient, RoomServiceClient, SipClient } from 'livekit-server-sdk';

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

/** LiveKit accepts an expired token for this long, to allow for clock differences. */
export const TOKEN_LEEWAY_MS = 60_000;

/**
 * Returns a client whose token expires at `notAfter`, so that LiveKit rejects a late request. It is then safe to dial again even if a
 * request's outcome is unknown.
 */
export async function dialClient({ url, apiKey, apiSecret }: Server, notAfter: Date): Promise<SipClient> {
  const token = new AccessToken(apiKey, apiSecret);
  // Pass an instant. The constructor would treat a number as seconds from now by our own clock.
  token.ttl = Math.ceil(notAfter.getTime() / 1000);
  token.addSIPGrant({ call: true });
  return new SipClient(url, undefined, undefined, { token: await token.toJwt(), failover: false });
}

/** The worker's settings for LiveKit and its SIP trunk. */
export interface LiveKitOptions {
  /** URL of LiveKit's server, `http(s)` or `ws(s)`. */
  url: string;
  apiKey: string;
  apiSecret: string;
  /** The name under which our agents register. Null means the deployment's default name. */
  agentName: string | null;
  /** Null allows only browser sessions. */
  trunk: SipTrunk | null;
  /** Addresses from which our numbers accept INVITEs. An empty list allows any. */
  inboundAddresses: readonly string[];
}

export type SipTrunk =
  /** A trunk that is configured in LiveKit. */
  | { kind: 'stored'; trunkId: string }
  | { kind: 'inline'; address: string; username: string; password: string; transport: SipTransport };

export type SipTransport = 'auto' | 'udp' | 'tcp' | 'tls';
