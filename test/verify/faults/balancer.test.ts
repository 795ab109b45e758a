import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Balancer } from '../../../verify/faults/network/balancer';

describe('the balancer', () => {
  const servers: Server[] = [];
  const sockets: Socket[] = [];
  let balancer: Balancer;

  /** Answers each word with its own name and the word. */
  async function target(name: string): Promise<number> {
    const server = createServer((socket) => {
      sockets.push(socket);
      socket.on('error', () => undefined);
      socket.on('data', (chunk) => socket.write(`${name} ${chunk.toString()}`));
    });
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  async function refusing(): Promise<number> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    return port;
  }

  async function join(): Promise<Socket> {
    const socket = connect(balancer.port, '127.0.0.1');
    sockets.push(socket);
    await once(socket, 'connect');
    return socket;
  }

  async function ask(socket: Socket, word: string): Promise<string> {
    socket.write(word);
    const [answer] = await once(socket, 'data');
    return answer.toString();
  }

  afterEach(async () => {
    await balancer.close();
    for (const socket of sockets.splice(0)) socket.destroy();
    for (const server of servers.splice(0)) server.close();
  });

  test('gives each target a connection in turn, and a connection keeps its target', async () => {
    balancer = await Balancer.open(0, [await target('one'), await target('two'), await target('three')]);
    const joined = [await join(), await join(), await join(), await join()];
    const answers: string[] = [];
    for (const socket of [...joined, ...joined]) answers.push(await ask(socket, 'x'));
    const round = ['one x', 'two x', 'three x', 'one x'];
    expect(answers).toEqual([...round, ...round]);
  });

  test('passes over a target that refuses, and takes it again once it is back', async () => {
    const away = await refusing();
    balancer = await Balancer.open(0, [away, await target('two')]);
    expect(await ask(await join(), 'x')).toBe('two x');
    expect(await ask(await join(), 'x')).toBe('two x');
    const back = createServer((socket) => void socket.on('data', () => socket.write('back')));
    servers.push(back);
    back.listen(away, '127.0.0.1');
    await once(back, 'listening');
    expect(await ask(await join(), 'x')).toBe('back');
  });

  test('resets a connection for which there is no target', async () => {
    balancer = await Balancer.open(0, [await refusing(), await refusing()]);
    const [error] = await once(connect(balancer.port, '127.0.0.1').resume(), 'error');
    expect(error.code).toBe('ECONNRESET');
  });

  test('ends the connection of a target that ended', async () => {
    balancer = await Balancer.open(0, [await target('one')]);
    const socket = await join();
    await ask(socket, 'x');
    const closed = once(socket, 'close');
    for (const each of sockets) if (each !== socket) each.destroy();
    await closed;
  });
});
