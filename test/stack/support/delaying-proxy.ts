/** Proxy between a worker and Temporal that delays workflow tasks until the test releases them, as if the machine stalled. */
import http2 from 'node:http2';
import type { AddressInfo } from 'node:net';

const POLL = '/temporal.api.workflowservice.v1.WorkflowService/PollWorkflowTaskQueue';

export interface DelayingProxy {
  address: string;
  /** Delays tasks from now on. */
  hold(): void;
  /** Returns the number of delayed tasks. */
  held(): number;
  /** Releases the oldest delayed task. */
  release(): void;
  close(): void;
}

export async function startDelayingProxy(target: string): Promise<DelayingProxy> {
  const upstream = http2.connect(`http://${target}`);
  const sessions = new Set<http2.ServerHttp2Session>();
  const kept: (() => void)[] = [];
  let holding = false;
  const server = http2.createServer();
  server.on('session', (session) => sessions.add(session));
  server.on('stream', (stream, headers) => {
    const request = upstream.request({ ...headers, ':authority': target });
    stream.pipe(request);
    stream.on('error', () => undefined);
    stream.on('close', () => request.close());
    request.on('error', () => stream.close());
    const body: Buffer[] = [];
    let status: http2.IncomingHttpHeaders & http2.IncomingHttpStatusHeader = {};
    let trailers: http2.IncomingHttpHeaders | null = null;
    request.on('response', (answer) => (status = answer));
    request.on('trailers', (answer) => (trailers = answer));
    request.on('data', (chunk: Buffer) => body.push(chunk));
    request.on('end', () => {
      const answer = () => {
        if (stream.destroyed || stream.closed) return;
        const { ':status': code, ...fields } = status;
        stream.respond({ ':status': code, ...fields }, { waitForTrailers: trailers !== null });
        stream.on('wantTrailers', () => stream.sendTrailers(trailers ?? {}));
        stream.end(Buffer.concat(body));
      };
      // A poll that times out returns an empty gRPC message, which is only the 5-byte frame header.
      const isTask = headers[':path'] === POLL && Buffer.concat(body).length > 5;
      if (holding && isTask) kept.push(answer);
      else answer();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    hold: () => void (holding = true),
    held: () => kept.length,
    release: () => kept.shift()?.(),
    close: () => {
      for (const session of sessions) session.destroy();
      upstream.destroy();
      server.close();
    },
  };
}
