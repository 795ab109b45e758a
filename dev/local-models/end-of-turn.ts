/**
 * Runs LiveKit's model for end-of-turn detection in this process, for tests and the benchmark. The agent's worker uses a separate process.
 */
import { createRequire } from 'node:module';
import type { ipc } from '@livekit/agents';

/** The function that the SDK itself calls. */
interface LocalInference {
  /** 16 kHz, one channel. */
  predict(samples: Int16Array): Promise<number>;
}

/** Loads 300 MB, which takes half a second of one core. */
export function endOfTurnInThisProcess(): ipc.InferenceExecutor {
  const sdk = createRequire(createRequire(__filename).resolve('@livekit/agents'));
  const model = sdk('@livekit/local-inference') as LocalInference;
  return {
    doInference: async (_method, data) => {
      const bytes = Buffer.from((data as { pcm: string }).pcm, 'base64');
      const samples = new Int16Array(bytes.length / 2);
      Buffer.from(samples.buffer).set(bytes);
      return { probability: await model.predict(samples), inferenceDurationMs: 0 };
    },
  };
}
