/** A custom-LLM server in a process of its own. It tells its parent what it sees, and does what the parent says. */
const { createServer } = require('node:http');
const { WebSocketServer } = require('ws');

const sockets = new WebSocketServer({ noServer: true });
/** What is done with connections to come: taken, or answered otherwise. */
let manner = { kind: 'take', hello: [] };
let current = null;
const requests = [];

const server = createServer();
server.on('upgrade', (request, socket, head) => {
  const { url, headers } = request;
  process.send({ kind: 'knock', path: url, authorization: headers.authorization ?? null });
  if (manner.kind === 'take')
    return sockets.handleUpgrade(request, socket, head, (open) => take(open, manner.hello));
  if (manner.kind === 'silent') return requests.push(socket);
  const location = manner.location === undefined ? '' : `Location: ${manner.location}\r\n`;
  socket.end(`HTTP/1.1 ${manner.status} No\r\n${location}Content-Length: 0\r\n\r\n`);
});

function take(open, hello) {
  current = open;
  for (const text of hello) open.send(text);
  open.on('message', (data) => process.send({ kind: 'heard', text: data.toString() }));
  open.on('close', (code) => process.send({ kind: 'closed', code }));
  open.on('error', () => undefined);
}

process.on('message', (order) => {
  if (order.kind === 'manner') manner = order.manner;
  if (order.kind === 'say') current.send(order.text);
  if (order.kind === 'sayBinary') current.send(Buffer.from(order.text), { binary: true });
  if (order.kind === 'cut') current.terminate();
  process.send({ kind: 'done' });
});
process.on('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => process.send({ kind: 'listening', port: server.address().port }));
