import type { metrics, tts } from '@livekit/agents';
import { StreamedTts } from '../providers/streamed-tts';
import { ttsInstancesOf } from './provider-failures';

/** Each request to a voice once. Adapters emit the sum of an utterance beside its requests. */
export function onVoiceUsage(voice: tts.TTS | null, count: (measure: metrics.TTSMetrics) => void): void {
  for (const one of ttsInstancesOf(voice))
    one.on('metrics_collected', (measure) => {
      if (!(one instanceof StreamedTts && measure.streamed)) count(measure);
    });
}
