// PORT=8765 TOKEN='a secret of yours' node custom-llm-server.js; it needs the package ws
const { WebSocketServer } = require('ws');

/** Replace this with your model. Yield pieces: the agent speaks the first one while you compute the next. */
async function* answerTo(said) {
  yield /\bbye\b/i.test(said) ? 'Good' : 'You said: ';
  yield /\bbye\b/i.test(said) ? 'bye.' : said;
}

const server = new WebSocketServer({ port: Number(process.env.PORT ?? 8765) });
server.on('listening', () => console.log(`listening on ${server.address().port}`));

server.on('connection', (socket, request) => {
  if (request.headers.authorization !== `Bearer ${process.env.TOKEN}`) return socket.close(4401);
  const send = (message) => socket.send(JSON.stringify(message));
  send({ interaction_type: 'config' });
  send({ interaction_type: 'greeting', content: 'Hello, this is your own server.' });
  let newest = 0;

  socket.on('message', async (data) => {
    const { interaction_type, response_id, transcript } = JSON.parse(data);
    if (interaction_type !== 'response_required') return;
    newest = response_id;
    const reply = { response_type: 'response', response_id };
    const said = transcript.at(-1).content;
    for await (const content of answerTo(said)) {
      if (response_id !== newest) return; // Interrupted: the agent ignores the rest.
      send({ ...reply, content, content_complete: false });
    }
    send({ ...reply, content: '', content_complete: true, end_call: /\bbye\b/i.test(said) });
  });
});
