import { createSocket, type SocketType } from 'node:dgram';
import { randomInt } from 'node:crypto';
import { connect, createServer } from 'node:net';
import { errorCode } from '../../db/kernel/error-code';
import type { ClosingOrder } from './closing';
import type { MediaPorts } from './media-servers';

const LOOPBACK = '127.0.0.1';
const LOOK_AHEAD = 200;
/**
 * Below the ports that systems use for outgoing connections (32768 and up on Linux). Such a connection could take a port before its server
 * uses it.
 */
const ANY = { min: 15_000, max: 32_000 };
const DRAWS = 50;
const PARTS = 8;

/** Ports that this process has already reserved, even if their server isn't listening yet. */
const given = new Set<number>();

/** Returns true if a program could use the port now. */
type PortCheck = (port: number) => Promise<boolean>;

/**
 * Returns the wanted port if it is free, or the next free one; 0 takes any. A process reserves each port only once, so servers that start
 * concurrently get different ports.
 */
export async function freePort(wanted: number, check: PortCheck = isFree): Promise<number> {
  if (wanted === 0) return anyFreePort(check);
  for (let port = wanted; port < Math.min(wanted + LOOK_AHEAD, 65_536); port += 1) {
    if (await take(port, check)) return port;
  }
  throw new Error(`no free port from ${wanted} to ${wanted + LOOK_AHEAD - 1} on ${LOOPBACK}`);
}

/** Makes a port available again after its server has ended. */
export function releasePort(port: number): void {
  given.delete(port);
}

async function anyFreePort(check: PortCheck): Promise<number> {
  // Lets processes search different parts of the range, because two processes that find the same port free would both bind it.
  const part = process.pid % PARTS;
  const size = Math.floor((ANY.max - ANY.min) / PARTS);
  const min = ANY.min + part * size;
  for (let draw = 0; draw < DRAWS; draw += 1) {
    const port = randomInt(min, min + size);
    if (await take(port, check)) return port;
  }
  throw new Error(`no free port on ${LOOPBACK}`);
}

/** Returns false if the port is in use or already reserved. */
async function take(port: number, check: PortCheck): Promise<boolean> {
  if (given.has(port)) return false;
  // Reserve the port before the check, so that a concurrent call gets another port.
  given.add(port);
  if (await check(port)) return true;
  given.delete(port);
  return false;
}

/** Returns true if a server could listen on the TCP port of 127.0.0.1. */
export async function isFree(port: number): Promise<boolean> {
  return !(await isListening(port)) && (await canBind(port, LOOPBACK));
}

/** Returns true if a program could receive on the UDP port on all addresses. */
export async function isUdpFree(port: number): Promise<boolean> {
  return (await canBindUdp('udp4', port)) && (await canBindUdp('udp6', port));
}

/** Returns true if a program could open the port on all addresses, for both TCP and UDP. */
export async function isFreeEverywhere(port: number): Promise<boolean> {
  return (await isFree(port)) && (await canBind(port)) && (await isUdpFree(port));
}

/**
 * On some systems, a server that listens on all addresses doesn't prevent a bind to 127.0.0.1. A connection attempt finds such a server.
 */
function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: LOOPBACK, timeout: 1000 });
    const finish = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => finish(true));
    socket.once('timeout', () => finish(true));
    socket.once('error', () => finish(false));
  });
}

/** Without a host, binds all addresses. */
function canBind(port: number, host?: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** Returns true on a machine without IPv6, where no program can use an IPv6 port. */
function canBindUdp(type: SocketType, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket({ type, ipv6Only: type === 'udp6' });
    socket.once('error', (error) => {
      socket.close();
      resolve(['EAFNOSUPPORT', 'EADDRNOTAVAIL'].includes(errorCode(error) ?? ''));
    });
    socket.bind({ port, exclusive: true }, () => socket.close(() => resolve(true)));
  });
}

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
export const portCheckFor = (name: keyof WantedPorts): PortCheck =>
  name === 'livekitTcp' || name === 'livekitUdp' ? isFreeEverywhere : isFree;

/** Variables that change the first port for `npm start`. */
export const PORT_VARIABLES = { api: 'PORT', simulator: 'SIMULATOR_PORT' } as const;

/** Picks any free ports, for tests. */
export const ANY_PORTS: WantedPorts = {
  ...USUAL_PORTS,
  ...Object.fromEntries(Object.keys(USUAL_PORTS).map((name) => [name, 0])),
};

type GivenPorts = {
  api: number;
  simulator: number;
  workerHealth: number;
  smtp: number;
  /** Null if calls use HTTP. */
  media: MediaPorts | null;
};

/** Assigns the ports before the processes of the platform start, because two starting processes could choose the same port. */
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
    livekitTcp: await freePort(wanted.livekitTcp, portCheckFor('livekitTcp')),
    livekitUdp: await freePort(wanted.livekitUdp, portCheckFor('livekitUdp')),
    redis: await freePort(wanted.redis),
    agentHealth: await freePort(wanted.agentHealth),
    sipStandIn,
  };
}
