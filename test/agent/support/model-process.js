// Answers as the process of the model, with its own id instead of a probability. It ends at the sound "end".
process.on('message', ({ id, pcm }) =>
  pcm === 'end' ? process.exit(1) : process.send({ id, answer: { pid: process.pid } }),
);
process.once('disconnect', () => process.exit());
