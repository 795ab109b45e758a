import type { SIPTransport } from '@livekit/protocol';

/** Settings of livekit-sip as in docker-compose.yml, but for a single machine. */

export interface SipBridge {
  /** Path of the livekit-sip program. */
  program: string;
  /** Each entry starts a process. */
  processes: readonly BridgePorts[];
  /** The first start creates this trunk in LiveKit. */
  trunk: { address: string; authUsername: string; authPassword: string; transport: SIPTransport };
}

export interface BridgePorts {
  sip: number;
  health: number;
  /** First and last port. */
  rtp: readonly [number, number];
}

export const bridgeConfig = ({ sip, health, rtp }: BridgePorts, redis: string) => ({
  redis: { address: redis },
  sip_port: sip,
  rtp_port: rtp.join('-'),
  use_external_ip: false,
  hide_inbound_port: true,
  health_port: health,
  // All processes share this machine, so a high CPU load must not make the bridge reject calls.
  max_cpu_utilization: 1,
  // At level info, the log contains phone numbers.
  logging: { json: true, level: 'warn' },
});
