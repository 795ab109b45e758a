/** Finds pauses in speech with the agent's voice detector, as the SDK does, but faster than real time. */
import { inference, VADEventType } from '@livekit/agents';
import { frameOf } from '../../../agent/audio/sdk-frames';
import { VOICE_TAIL_MS } from '../../../agent/session/turns/near-voice';
import { VAD_SILENCE_MS } from '../../../agent/session/voice/session-models';

const SAMPLES_PER_MS = 16;
/** After this much silence, the SDK calls its turn detector. */
const DETECTS_AFTER_MS = 200;
const FRAME_MS = 20;
/** Samples per window of the detector. */
const WINDOW = 512;

export interface Pause {
  /** Sample position at which the SDK would call the turn detector. */
  requestedAt: number;
  /** From the last word until new speech is detected; null at the end of the recording. */
  ms: number | null;
  /** From the last word until silence is detected. */
  noticedMs: number;
}

export async function pausesIn(samples: Int16Array): Promise<Pause[]> {
  const stream = new inference.VAD({ model: 'silero', minSilenceDuration: VAD_SILENCE_MS }).stream();
  for (let at = 0; at < samples.length; at += FRAME_MS * SAMPLES_PER_MS)
    stream.pushFrame(frameOf(samples.slice(at, at + FRAME_MS * SAMPLES_PER_MS)));
  const pauses: Pause[] = [];
  let [isSpeaking, requestedAt, spokeAt] = [false, null as number | null, 0];
  const sinceVoice = (at: number): number => (at - spokeAt) / SAMPLES_PER_MS + VOICE_TAIL_MS;
  for await (const { type, samplesIndex, rawAccumulatedSpeech, rawAccumulatedSilence } of stream) {
    const last = pauses.at(-1);
    if (type === VADEventType.START_OF_SPEECH) {
      isSpeaking = true;
      if (last !== undefined) last.ms = sinceVoice(samplesIndex);
    }
    if (type === VADEventType.END_OF_SPEECH && isSpeaking) {
      isSpeaking = false;
      pauses.push({
        requestedAt: requestedAt ?? samplesIndex,
        ms: null,
        noticedMs: sinceVoice(samplesIndex),
      });
    }
    if (type !== VADEventType.INFERENCE_DONE) continue;
    // The SDK's `endInput` throws, so the stream does not end by itself.
    if (samplesIndex + WINDOW > samples.length) break;
    if (rawAccumulatedSpeech > 0 && isSpeaking) [spokeAt, requestedAt] = [samplesIndex, null];
    else if (isSpeaking && requestedAt === null && rawAccumulatedSilence >= DETECTS_AFTER_MS)
      requestedAt = samplesIndex;
  }
  stream.close();
  return pauses;
}
