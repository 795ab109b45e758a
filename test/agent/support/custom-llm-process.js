/** A custom LLM server in a separate process. It reports what it receives to its parent, and executes the parent's commands. */
const { createServer } = require('node:http');
const { WebSocketServer } = require('ws');

const sockets = new WebSocketServer({ noServer: true });
/** How to treat new connections: accept them, or respond with a status. */
let behaviour = { kind: 'take', hello: [] };
let current = null;
const requests = [];

const server = createServer();
server.on('upgrade', (request, socket, head) => {
  // A connection that the client resets would otherwise crash this process.
  socket.on('error', () => undefined);
  const { url, headers } = request;
  process.send({ kind: 'attempt', path: url, authorization: headers.authorization ?? null });
  if (behaviour.kind === 'take')
    return sockets.handleUpgrade(request, socket, head, (open) => take(open, behaviour.hello));
  if (behaviour.kind === 'silent') return requests.push(socket);
  const location = behaviour.location === undefined ? '' : `Location: ${behaviour.location}\r\n`;
  socket.end(`HTTP/1.1 ${behaviour.status} No\r\n${location}Content-Length: 0\r\n\r\n`);
});

function take(open, hello) {
  current = open;
  for (const text of hello) open.send(text);
  open.on('message', (data) => process.send({ kind: 'received', text: data.toString() }));
  open.on('close', (code) => process.send({ kind: 'closed', code }));
  open.on('error', () => undefined);
}

process.on('message', (command) => {
  if (command.kind === 'behaviour') behaviour = command.behaviour;
  if (command.kind === 'say') current.send(command.text);
  if (command.kind === 'sayBinary') current.send(Buffer.from(command.text), { binary: true });
  if (command.kind === 'cut') current.terminate();
  process.send({ kind: 'done' });
});
process.on('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => process.send({ kind: 'listening', port: server.address().port }));
