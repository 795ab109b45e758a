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
  /** Addresses from which our numbers accept INVITEs. Empty allows any. */
  inboundAddresses: readonly string[];
}

export type SipTrunk =
  /** A trunk that is configured in LiveKit. */
  | { kind: 'stored'; trunkId: string }
  | { kind: 'inline'; address: string; username: string; password: string; transport: SipTransport };

export type SipTransport = 'auto' | 'udp' | 'tcp' | 'tls';
