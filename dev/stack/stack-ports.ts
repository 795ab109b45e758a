import type { ClosingOrder } from './closing';
import type { MediaPorts } from './media-servers';
import { freePort, isFree, isFreeEverywhere, releasePort, type PortCheck } from './ports';

export type WantedPorts = {
  api: number;
  simulator: number;
  workerHealth: number;
  smtp: number;
  postgres: number;
  temporal: number;
  temporalUi: number;
} & Omit<MediaPorts, 'sipStandIn'>;

/** First ports to try. Ports in use are skipped. */
export const USUAL_PORTS: WantedPorts = {
  api: 8080,
  simulator: 7080,
  workerHealth: 3020,
  smtp: 1025,
  postgres: 54_320,
  temporal: 7233,
  temporalUi: 8233,
  livekit: 7880,
  livekitTcp: 7881,
  livekitUdp: 7882,
  redis: 6390,
  agentHealth: 3030,
};

/** Ports that only calls over LiveKit use. */
export const MEDIA_PORTS: readonly (keyof WantedPorts)[] = [
  'livekit',
  'livekitTcp',
  'livekitUdp',
  'redis',
  'agentHealth',
];

/** LiveKit opens its media ports on all addresses, one of them for UDP. */
export const checkOf = (name: keyof WantedPorts): PortCheck =>
  name === 'livekitTcp' || name === 'livekitUdp' ? isFreeEverywhere : isFree;

/** Variables that change the first port for `npm start`. */
export const PORT_VARIABLES = { api: 'PORT', simulator: 'SIMULATOR_PORT' } as const;

/** Picks any free ports, for tests. */
export const ANY_PORTS: WantedPorts = {
  api: 0,
  simulator: 0,
  workerHealth: 0,
  smtp: 0,
  postgres: 0,
  temporal: 0,
  temporalUi: 0,
  livekit: 0,
  livekitTcp: 0,
  livekitUdp: 0,
  redis: 0,
  agentHealth: 0,
};

export type GivenPorts = {
  api: number;
  simulator: number;
  workerHealth: number;
  smtp: number;
  /** Null if calls use HTTP. */
  media: MediaPorts | null;
};

/** Assigns the ports one after the other before the platform's processes start. Otherwise two processes could choose the same port. */
export async function givePorts(
  wanted: WantedPorts,
  withMedia: boolean,
  closing: ClosingOrder,
): Promise<GivenPorts> {
  const own = {
    api: await freePort(wanted.api),
    simulator: await freePort(wanted.simulator),
    workerHealth: await freePort(wanted.workerHealth),
    smtp: await freePort(wanted.smtp),
  };
  const media = withMedia ? await giveMediaPorts(wanted, own.simulator) : null;
  const given = [...Object.values(own), ...(media === null ? [] : Object.values(media))];
  closing.add('the ports', () => Promise.resolve(given.forEach(releasePort)));
  return { ...own, media };
}

/** The SIP stand-in listens on the simulator's port. */
export async function giveMediaPorts(
  wanted: Omit<MediaPorts, 'sipStandIn'>,
  sipStandIn: number,
): Promise<MediaPorts> {
  return {
    livekit: await freePort(wanted.livekit),
    livekitTcp: await freePort(wanted.livekitTcp, checkOf('livekitTcp')),
    livekitUdp: await freePort(wanted.livekitUdp, checkOf('livekitUdp')),
    redis: await freePort(wanted.redis),
    agentHealth: await freePort(wanted.agentHealth),
    sipStandIn,
  };
}
