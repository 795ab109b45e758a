/**
 * Leads a browser to the page without a key to paste. Each address it gives out works once and holds a random token; whoever opens it is
 * sent on to the page with an API key in the fragment, which no server is sent and which the page takes out of the address at once. The key
 * is so in no list of processes, no terminal and no log.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

export interface Doorway {
  /** An address that works once, for a page with this agent chosen. */
  addressFor: (agentId: string) => string;
  close: () => Promise<void>;
}

export interface DoorwayOptions {
  port: number;
  /** Of the playground, without a fragment. */
  pageUrl: string;
  /** Issues a key for one page. */
  issueKey: () => Promise<string>;
  /** Called when an address was used, with its agent. */
  onUsed: (agentId: string) => void;
}

const TOKEN_BYTES = 24;
const USED =
  'This address works once, and was used. "npm run talk" has printed another one in its terminal.\n';

export async function openDoorway({ port, pageUrl, issueKey, onUsed }: DoorwayOptions): Promise<Doorway> {
  const open = new Map<string, string>();
  const enter = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    response.setHeader('Cache-Control', 'no-store').setHeader('Referrer-Policy', 'no-referrer');
    const token = tokenIn(open, (request.url ?? '').slice(1));
    // A browser that only looks ahead must not use the address up.
    const looksAhead = /prefetch/.test(String(request.headers['sec-purpose'] ?? request.headers.purpose));
    if (request.method !== 'GET' || looksAhead) return void response.writeHead(405).end();
    const agentId = token === null ? undefined : open.get(token);
    if (token === null || agentId === undefined) return void response.writeHead(410).end(USED);
    open.delete(token);
    const fragment = new URLSearchParams({ key: await issueKey(), agent: agentId });
    response.writeHead(303, { Location: `${pageUrl}#${fragment.toString()}` }).end();
    onUsed(agentId);
  };
  const server = createServer((request, response) => {
    enter(request, response).catch(() => response.destroy());
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    addressFor: (agentId) => {
      const token = randomBytes(TOKEN_BYTES).toString('base64url');
      open.set(token, agentId);
      return `http://127.0.0.1:${port}/${token}`;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Compared in full with each: how long it takes says nothing of how near a guess was. */
function tokenIn(open: ReadonlyMap<string, string>, given: string): string | null {
  const bytes = Buffer.from(given);
  for (const token of open.keys()) {
    const known = Buffer.from(token);
    if (known.length === bytes.length && timingSafeEqual(known, bytes)) return token;
  }
  return null;
}
