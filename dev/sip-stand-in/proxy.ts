/** Forwards everything that the stand-in doesn't handle itself to the real server, including WebSockets. */
import http from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';

export class Proxy {
  private readonly agent = new http.Agent({ keepAlive: true });
  private readonly sockets = new Set<Duplex>();
  private readonly host: string;
  private readonly port: number;

  /** `target` is the real server's URL, `http://…`. */
  constructor(target: string) {
    const url = new URL(target);
    this.host = url.hostname;
    this.port = Number(url.port || 80);
  }

  /** `body` is the part of the request that was already read. */
  forward(request: http.IncomingMessage, body: Buffer, response: http.ServerResponse): void {
    const { method, url, headers } = request;
    const { connection: _connection, ...kept } = headers;
    const onward = http.request({
      host: this.host,
      port: this.port,
      method,
      path: url,
      headers: { ...kept, host: `${this.host}:${this.port}` },
      agent: this.agent,
    });
    onward.on('error', () => {
      if (response.headersSent) response.destroy();
      else response.writeHead(502).end();
    });
    onward.on('response', (answer) => {
      answer.on('error', () => response.destroy());
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    response.on('close', () => onward.destroy());
    onward.end(body);
  }

  upgrade(request: http.IncomingMessage, socket: Duplex, head: Buffer): void {
    const onward = connect(this.port, this.host, () => {
      const lines = [`${request.method} ${request.url} HTTP/1.1`];
      for (let index = 0; index < request.rawHeaders.length; index += 2) {
        lines.push(`${request.rawHeaders[index]}: ${request.rawHeaders[index + 1]}`);
      }
      onward.write(`${lines.join('\r\n')}\r\n\r\n`);
      onward.write(head);
      onward.pipe(socket);
      socket.pipe(onward);
    });
    this.keep(socket, onward);
    this.keep(onward, socket);
  }

  close(): void {
    this.agent.destroy();
    for (const socket of this.sockets) socket.destroy();
  }

  private keep(socket: Duplex, other: Duplex): void {
    this.sockets.add(socket);
    socket.on('error', () => other.destroy());
    socket.on('close', () => {
      this.sockets.delete(socket);
      other.destroy();
    });
  }
}
