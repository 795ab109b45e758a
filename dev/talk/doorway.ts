/**
 * Opens the console in a browser, so that the user needn't paste a key. Each address works once and contains a random token. The browser is
 * redirected to the console with a sign-in token in the fragment, which keeps that token out of process lists, terminals and logs.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { spawn } from 'node:child_process';
import { closeServer, listen } from '../http';
import type { Environment } from '../stack/platform-environment';

export interface Doorway {
  /** Returns a single-use address that opens the page with this agent selected. */
  addressFor: (agentId: string) => string;
  close: () => Promise<void>;
}

interface DoorwayOptions {
  port: number;
  /** URL of the console's page for trying an agent. */
  pageUrl: string;
  /** Issues a sign-in token for one opening of the page. */
  issueSignIn: () => Promise<string>;
  /** Called with the agent's id after an address was used. */
  onUsed: (agentId: string) => void;
}

const TOKEN_BYTES = 24;
const USED =
  'This address has already been used. Open the newest one that "npm run talk" has printed in its terminal.\n';

export async function openDoorway({ port, pageUrl, issueSignIn, onUsed }: DoorwayOptions): Promise<Doorway> {
  const open = new Map<string, string>();
  const enter = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    response.setHeader('Cache-Control', 'no-store').setHeader('Referrer-Policy', 'no-referrer');
    const token = tokenIn(open, (request.url ?? '').slice(1));
    // A browser's prefetch must not use up the address.
    const looksAhead = /prefetch/.test(String(request.headers['sec-purpose'] ?? request.headers.purpose));
    if (request.method !== 'GET' || looksAhead) return void response.writeHead(405).end();
    const agentId = token === null ? undefined : open.get(token);
    if (token === null || agentId === undefined) return void response.writeHead(410).end(USED);
    open.delete(token);
    const agent = new URLSearchParams({ agent: agentId });
    const fragment = new URLSearchParams({ 'sign-in': await issueSignIn() });
    response.writeHead(303, { Location: `${pageUrl}?${agent.toString()}#${fragment.toString()}` }).end();
    onUsed(agentId);
  };
  const server = createServer((request, response) => {
    enter(request, response).catch(() => response.destroy());
  });
  await listen(server, port);
  return {
    addressFor: (agentId) => {
      const token = randomBytes(TOKEN_BYTES).toString('base64url');
      open.set(token, agentId);
      return `http://127.0.0.1:${port}/${token}`;
    },
    close: () => closeServer(server),
  };
}

/** Compares the whole token with each known token, so that timing does not reveal how close a guess was. */
function tokenIn(open: ReadonlyMap<string, string>, given: string): string | null {
  const bytes = Buffer.from(given);
  for (const token of open.keys()) {
    const known = Buffer.from(token);
    if (known.length === bytes.length && timingSafeEqual(known, bytes)) return token;
  }
  return null;
}

/** Returns the command that opens a URL, or null if there is no desktop. */
function openerOf(environment: Environment, platform: NodeJS.Platform = process.platform): string | null {
  if (platform === 'darwin') return 'open';
  return environment.DISPLAY || environment.WAYLAND_DISPLAY ? 'xdg-open' : null;
}

/** Opens the address in the user's browser if there is a desktop. */
export function showInBrowser(address: string, environment: Environment): Promise<void> {
  const opener = openerOf(environment);
  if (opener === null) return Promise.resolve();
  return new Promise((resolve) => {
    const child = spawn(opener, [address], { stdio: 'ignore', detached: true });
    child.once('error', () => resolve());
    child.once('spawn', () => {
      child.unref();
      resolve();
    });
  });
}
