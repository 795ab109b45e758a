import type { SIPTransport } from '@livekit/protocol';

/** livekit-sip as docker-compose.yml starts it, but on this machine alone. */

export interface SipBridge {
  /** livekit-sip. */
  program: string;
  /** One process for each. */
  processes: readonly BridgePorts[];
  /** Stored at LiveKit by the first start. */
  trunk: { address: string; authUsername: string; authPassword: string; transport: SIPTransport };
}

export interface BridgePorts {
  sip: number;
  health: number;
  /** From and to. */
  rtp: readonly [number, number];
}

export const bridgeConfig = ({ sip, health, rtp }: BridgePorts, redis: string) => ({
  redis: { address: redis },
  sip_port: sip,
  rtp_port: rtp.join('-'),
  use_external_ip: false,
  hide_inbound_port: true,
  health_port: health,
  // A machine that runs everything at once has no processor to spare, and loses no call for it.
  max_cpu_utilization: 1,
  // At info each call's lines name its numbers.
  logging: { json: true, level: 'warn' },
});
