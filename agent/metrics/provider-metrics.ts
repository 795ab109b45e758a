/** Counts failures, fallbacks and usage of a conversation's models. */
import { llm, stt, tts, type metrics } from '@livekit/agents';
import { StreamedTts } from '../providers/speech-pieces';
import type { ConversationMetrics } from './conversation-metrics';

interface CountedModels {
  stt: stt.STT | null;
  llm: llm.LLM | null;
  tts: tts.TTS | null;
}

type Counted = Pick<ConversationMetrics, 'failed' | 'fellBack'>;

/** Counts failures by provider, and requests that a fallback handled. */
export function countProviderFailures(models: CountedModels, metrics: Counted): void {
  for (const [at, one] of sttInstancesOf(models.stt).entries()) {
    one.on('error', () => metrics.failed('stt', providerOf(one.label)));
    if (at > 0) one.on('metrics_collected', () => metrics.fellBack('stt'));
  }
  for (const [at, one] of llmInstancesOf(models.llm).entries()) {
    one.on('error', () => metrics.failed('llm', providerOf(one.label())));
    if (at > 0) one.on('metrics_collected', () => metrics.fellBack('llm'));
  }
  for (const [at, one] of ttsInstancesOf(models.tts).entries()) {
    one.on('error', () => metrics.failed('tts', providerOf(one.label)));
    if (at > 0) one.on('metrics_collected', () => metrics.fellBack('tts'));
  }
}

const sttInstancesOf = (model: stt.STT | null): readonly stt.STT[] =>
  model instanceof stt.FallbackAdapter ? model.sttInstances : listed(model);
const llmInstancesOf = (model: llm.LLM | null): readonly llm.LLM[] =>
  model instanceof llm.FallbackAdapter ? model.llms : listed(model);
const ttsInstancesOf = (model: tts.TTS | null): readonly tts.TTS[] =>
  model instanceof tts.FallbackAdapter ? model.ttsInstances : listed(model);

const listed = <T>(model: T | null): T[] => (model === null ? [] : [model]);

/**
 * Extracts the plugin's name from a label such as `openai.LLM` or `stt.StreamAdapter<openai.STT>`. The model's `provider` property can be a
 * host name.
 */
export function providerOf(label: string): string {
  const inner = /<(.+?)>*$/.exec(label)?.[1] ?? label;
  return /^[a-z]+/i.exec(inner)?.[0] ?? 'unknown';
}

/** Calls `count` once for each request to a voice. Skips the per-utterance sums that adapters also emit. */
export function onVoiceUsage(voice: tts.TTS | null, count: (measure: metrics.TTSMetrics) => void): void {
  for (const one of ttsInstancesOf(voice))
    one.on('metrics_collected', (measure) => {
      if (!(one instanceof StreamedTts && measure.streamed)) count(measure);
    });
}
