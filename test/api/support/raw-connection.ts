/** A connection to which a test writes raw bytes. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export class RawConnection {
  received = '';
  /** Resolves when either end closes the connection. */
  readonly closed: Promise<unknown>;

  private constructor(readonly socket: Socket) {
    socket.on('data', (chunk: Buffer) => (this.received += chunk.toString('latin1')));
    // A close event follows a reset.
    socket.on('error', () => undefined);
    this.closed = new Promise((resolve) => socket.once('close', resolve));
  }

  static async open(port: number): Promise<RawConnection> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new RawConnection(socket);
  }

  /** Writes each character as one byte. */
  write(text: string): void {
    this.socket.write(Buffer.from(text, 'latin1'));
  }

  /** Waits until enough was received. Throws if the connection ends before that. */
  async until(isEnough: (received: string) => boolean): Promise<string> {
    const isOver = this.closed.then(() => true);
    while (!isEnough(this.received)) {
      const over = await Promise.race([isOver, once(this.socket, 'data').then(() => false)]);
      if (over && !isEnough(this.received)) throw new Error(`ended after: ${this.received.slice(0, 500)}`);
    }
    return this.received;
  }

  /** Waits for one response with a Content-Length or in chunks. */
  async answer(): Promise<string> {
    return this.until((text) => {
      const [head, body] = text.split('\r\n\r\n');
      if (/^transfer-encoding: chunked$/im.test(head ?? '')) return text.endsWith('\r\n0\r\n\r\n');
      const length = /^content-length: (\d+)$/im.exec(head ?? '')?.[1];
      return body !== undefined && length !== undefined && body.length >= Number(length);
    });
  }
}
