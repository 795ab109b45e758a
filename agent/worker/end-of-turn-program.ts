/** The process of LiveKit's end-of-turn model. It answers the messages of `EndOfTurnRunner` and exits when the channel closes. */
import { createRequire } from 'node:module';
import { valueAt } from '../../domain/json';

/** The part of the SDK's native library that we use. */
interface LocalInference {
  /** Takes one channel at 16 kHz. The first call loads the model. */
  predict(samples: Int16Array): Promise<number>;
}

const sdk = createRequire(createRequire(__filename).resolve('@livekit/agents'));
const model = sdk('@livekit/local-inference') as LocalInference;

async function answer(message: unknown): Promise<void> {
  const bytes = Buffer.from(String(valueAt(message, 'pcm')), 'base64');
  const samples = new Int16Array(Math.floor(bytes.length / 2));
  Buffer.from(samples.buffer).set(bytes.subarray(0, samples.byteLength));
  const startedAt = performance.now();
  // Like the SDK's runner, answers 0 after a failure.
  const probability = await model.predict(samples).catch(() => 0);
  const inferenceDurationMs = performance.now() - startedAt;
  process.send?.({ id: valueAt(message, 'id'), answer: { probability, inferenceDurationMs } });
}

process.on('message', (message) => void answer(message));
// Ignored, because the worker stops this process. A terminal's Ctrl+C also reaches this process, while conversations continue.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
process.once('disconnect', () => process.exit());
