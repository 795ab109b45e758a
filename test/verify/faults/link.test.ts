import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Link } from '../../../verify/faults/network/link';

/** Starts a server that echoes received text in capitals. */
async function echo(heard: string[]): Promise<Server> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      heard.push(chunk.toString());
      socket.write(chunk.toString().toUpperCase());
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

describe('a link', () => {
  const heard: string[] = [];
  const sockets: Socket[] = [];
  let server: Server;
  let link: Link;

  beforeEach(async () => {
    heard.length = 0;
    server = await echo(heard);
    link = await Link.open((server.address() as AddressInfo).port);
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await link.close();
    server.close();
  });

  async function join(): Promise<Socket> {
    const socket = connect(link.port, '127.0.0.1');
    sockets.push(socket);
    await once(socket, 'connect');
    return socket;
  }
  async function ask(socket: Socket, word: string): Promise<string> {
    socket.write(word);
    const [answer] = await once(socket, 'data');
    return answer.toString();
  }
  const fault = async (socket: Socket): Promise<string> => (await once(socket, 'error'))[0].code;

  test('passes data in both directions', async () => {
    expect(await ask(await join(), 'one')).toBe('ONE');
  });

  test('resets open connections and refuses new ones while the link is cut', async () => {
    const socket = await join();
    await ask(socket, 'one');
    const broken = fault(socket);
    await link.cut('refuse');
    expect(await broken).toBe('ECONNRESET');
    expect(await fault(connect(link.port, '127.0.0.1'))).toBe('ECONNREFUSED');
    await link.heal();
    expect(await ask(await join(), 'two')).toBe('TWO');
  });

  test('accepts connections while the link is silent, and never delivers their data', async () => {
    const before = await join();
    await ask(before, 'one');
    await link.cut('silence');
    const during = await join();
    before.write('two');
    during.write('three');
    const broken = [fault(before), fault(during)];
    await link.heal();
    expect(await Promise.all(broken)).toEqual(['ECONNRESET', 'ECONNRESET']);
    expect(await ask(await join(), 'four')).toBe('FOUR');
    expect(heard).toEqual(['one', 'four']);
  });

  test('passes requests on and loses only the requested number of responses', async () => {
    const socket = await join();
    await ask(socket, 'one');
    link.loseAnswers(1);
    const broken = fault(socket);
    socket.write('two');
    expect(await broken).toBe('ECONNRESET');
    expect(heard).toEqual(['one', 'two']);
    expect(await ask(await join(), 'three')).toBe('THREE');
    expect(link.loseNoMore()).toBe(0);
  });

  test("replaces a lost response with a proxy's error page", async () => {
    const socket = await join();
    link.loseAnswers(1, 'page');
    const page = await ask(socket, 'one');
    expect(page).toMatch(/^HTTP\/1\.1 503 [^]*text\/html[^]*<html>/);
    await once(socket, 'close');
    expect(heard).toEqual(['one']);
    expect(await ask(await join(), 'two')).toBe('TWO');
  });

  test('closes the connection if nothing listens at the target', async () => {
    server.close();
    const socket = connect(link.port, '127.0.0.1');
    sockets.push(socket);
    socket.on('error', () => undefined);
    await once(socket, 'close');
  });
});
