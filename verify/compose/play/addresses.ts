/** Addresses of the deployment and of the servers around it on this machine. */
import { networkInterfaces } from 'node:os';

export const ORIGIN = 'http://127.0.0.1:8080';
export const LIVEKIT_PORT = 7880;
export const WEB_UI = 'http://127.0.0.1:8233';
export const SIP_PORT = 5060;
export const TRUNK_PORT = 5062;

/** Returns an IPv4 address of the machine that doesn't belong to a container network. @throws Error if there is none */
export function machineAddress(): string {
  const links = Object.entries(networkInterfaces()).filter(([name]) => !/^(?:docker|br-|veth)/.test(name));
  const addresses = links.flatMap(([, found = []]) => found);
  const outer = addresses.find(({ family, internal }) => family === 'IPv4' && !internal);
  if (outer === undefined) throw new Error('the machine has no IPv4 address besides 127.0.0.1');
  return outer.address;
}
