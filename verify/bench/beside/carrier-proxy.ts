/** Passes requests on to the simulator. It can withhold a response, so that a worker dies between its dial and the carrier's response. */
import { Agent, createServer, request as send } from 'node:http';
import { closeServer, listen } from '../../../dev/http';

export interface CarrierProxy {
  url: string;
  /** Sets the simulator's URL. */
  forwardTo(carrierUrl: string): void;
  /** Resolves once the carrier has accepted another call. The proxy withholds that response for good. */
  nextDial(): Promise<void>;
  close(): Promise<void>;
}

export async function startCarrierProxy(): Promise<CarrierProxy> {
  const agent = new Agent({ keepAlive: true });
  let target = '';
  let onDial: (() => void) | null = null;
  const server = createServer((incoming, outgoing) => {
    const { method, headers, url = '/' } = incoming;
    const forwarded = send(`${target}${url}`, { method, headers, agent }, (response) => {
      if (method === 'POST' && url === '/calls' && onDial !== null) {
        onDial();
        onDial = null;
        response.resume();
      } else {
        outgoing.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(outgoing);
      }
    });
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  return {
    url: `http://127.0.0.1:${await listen(server, 0)}`,
    forwardTo: (carrierUrl) => (target = carrierUrl),
    nextDial: () => new Promise((resolve) => (onDial = resolve)),
    close: () => closeServer(server),
  };
}
