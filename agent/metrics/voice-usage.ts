import type { metrics, tts } from '@livekit/agents';
import { StreamedTts } from '../providers/streamed-tts';
import { ttsInstancesOf } from './provider-failures';

/** Reports each request to a voice once. Adapters also emit the sum of an utterance, which is skipped. */
export function onVoiceUsage(voice: tts.TTS | null, count: (measure: metrics.TTSMetrics) => void): void {
  for (const one of ttsInstancesOf(voice))
    one.on('metrics_collected', (measure) => {
      if (!(one instanceof StreamedTts && measure.streamed)) count(measure);
    });
}
