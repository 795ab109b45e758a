import { randomInt } from 'node:crypto';
import { connect, createServer } from 'node:net';

const LOOPBACK = '127.0.0.1';
const LOOK_AHEAD = 200;
/**
 * Below what systems draw the ports of outgoing connections from (32768 on Linux): one of those could take a port before its server
 * listens.
 */
const ANY = { least: 15_000, most: 32_000 };
const DRAWS = 50;
const PARTS = 8;

/** Ports this process has given out already, whether or not their server listens yet. */
const given = new Set<number>();

/**
 * The wanted port of 127.0.0.1 if it is free, else the next one that is. 0 asks for any. A port is given out
 * once per process, so that servers that start side by side do not get the same one.
 */
export async function freePort(wanted: number): Promise<number> {
  if (wanted === 0) return anyFreePort();
  for (let port = wanted; port < Math.min(wanted + LOOK_AHEAD, 65_536); port += 1) {
    if (await take(port)) return port;
  }
  throw new Error(`no free port from ${wanted} to ${wanted + LOOK_AHEAD - 1} on ${LOOPBACK}`);
}

/** Makes a port available again once its server has ended. */
export function releasePort(port: number): void {
  given.delete(port);
}

async function anyFreePort(): Promise<number> {
  // Processes that run side by side draw from parts of their own, most of the time: a port that one has given out and another finds free would
  // be bound by both.
  const part = process.pid % PARTS;
  const size = Math.floor((ANY.most - ANY.least) / PARTS);
  const least = ANY.least + part * size;
  for (let draw = 0; draw < DRAWS; draw += 1) {
    const port = randomInt(least, least + size);
    if (await take(port)) return port;
  }
  throw new Error(`no free port on ${LOOPBACK}`);
}

/** False where it is given out already, or in use. */
async function take(port: number): Promise<boolean> {
  if (given.has(port)) return false;
  // At once: a caller that asks meanwhile gets another.
  given.add(port);
  if (await isFree(port)) return true;
  given.delete(port);
  return false;
}

/** Whether a server could listen on the port of 127.0.0.1 now. */
export async function isFree(port: number): Promise<boolean> {
  return !(await isListening(port)) && (await canBind(port));
}

/** A server on all addresses does not stop a bind to 127.0.0.1 on every system, so it is asked as well. */
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

function canBind(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: LOOPBACK, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
