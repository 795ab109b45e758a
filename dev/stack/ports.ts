import { createSocket, type SocketType } from 'node:dgram';
import { randomInt } from 'node:crypto';
import { connect, createServer } from 'node:net';
import { errorCode } from '../../db/kernel/error-code';

const LOOPBACK = '127.0.0.1';
const LOOK_AHEAD = 200;
/**
 * Below the ports that systems use for outgoing connections (32768 and up on Linux), because such a connection could take a port before its
 * server listens.
 */
const ANY = { min: 15_000, max: 32_000 };
const DRAWS = 50;
const PARTS = 8;

/** Ports that this process has already reserved, even if their server doesn't listen yet. */
const given = new Set<number>();

/** Returns true if a program could use the port now. */
export type PortCheck = (port: number) => Promise<boolean>;

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
  // Reserve it before the check, so that a concurrent caller gets another port.
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
    const settle = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => settle(true));
    socket.once('timeout', () => settle(true));
    socket.once('error', () => settle(false));
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
