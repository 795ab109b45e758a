/** What the worker needs to reach LiveKit and, through it, the phone network. */
export interface LiveKitOptions {
  /** Of LiveKit's server, `http(s)` or `ws(s)`. */
  url: string;
  apiKey: string;
  apiSecret: string;
  /** The name under which our agents registered; null for that of the deployment. */
  agentName: string | null;
  /** Null where no phone can be reached: then only browser sessions can be opened. */
  trunk: SipTrunk | null;
  /** Whose INVITEs our numbers take; empty takes those of everybody. */
  inboundAddresses: readonly string[];
}

export type SipTrunk =
  /** Stored at LiveKit. */
  | { kind: 'stored'; trunkId: string }
  | { kind: 'inline'; address: string; username: string; password: string; transport: SipTransport };

export const SIP_TRANSPORTS = ['auto', 'udp', 'tcp', 'tls'] as const;
export type SipTransport = (typeof SIP_TRANSPORTS)[number];
