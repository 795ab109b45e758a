// Replaces the model's process. Answers with its process id as the probability, and exits at the sound "end".
process.on('message', ({ id, pcm }) =>
  pcm === 'end' ? process.exit(1) : process.send({ id, answer: { pid: process.pid } }),
);
process.once('disconnect', () => process.exit());
