// Stands in for the model's process. Answers with its process id instead of a probability, and exits at the sound "end".
process.on('message', ({ id, pcm }) =>
  pcm === 'end' ? process.exit(1) : process.send({ id, answer: { pid: process.pid } }),
);
process.once('disconnect', () => process.exit());
