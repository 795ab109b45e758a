/** Collects model usage and the agent's response times in one conversation. */
import type { llm, metrics } from '@livekit/agents';
import type { ModelKind } from '../../../domain/usage-cost';
import type { ReportedModel, ReportedUsage } from '../../../domain/usage-report';

const UNKNOWN = 'unknown';

export class TurnMetrics {
  private readonly models = new Map<string, ReportedModel>();
  private readonly responseMs: number[] = [];
  private interruptions = 0;

  /** `onResponse` is called with each response time in milliseconds. */
  constructor(private readonly onResponse: (responseMs: number) => void = () => undefined) {}

  /** Adds the SDK's metrics of one request or stream. */
  onMetrics(measure: metrics.AgentMetrics): void {
    switch (measure.type) {
      case 'stt_metrics':
        this.add('stt', measure.metadata, {
          audio_ms: measure.audioDurationMs,
          input_tokens: measure.inputTokens ?? 0,
          output_tokens: measure.outputTokens ?? 0,
        });
        break;
      case 'llm_metrics':
        this.add('llm', measure.metadata, {
          input_tokens: measure.promptTokens,
          cached_tokens: measure.promptCachedTokens,
          output_tokens: measure.completionTokens,
        });
        break;
      case 'tts_metrics':
        this.add('tts', measure.metadata, {
          characters: measure.charactersCount,
          audio_ms: measure.audioDurationMs,
          input_tokens: measure.inputTokens ?? 0,
          output_tokens: measure.outputTokens ?? 0,
        });
        break;
      default:
      // Other components report no usage.
    }
  }

  itemAdded(item: llm.ChatItem): void {
    if (item.type !== 'message' || item.role !== 'assistant') return;
    if (item.interrupted) this.interruptions += 1;
    const { e2eLatency } = item.metrics;
    if (e2eLatency === undefined || e2eLatency < 0) return;
    const responseMs = Math.round(e2eLatency * 1000);
    this.responseMs.push(responseMs);
    this.onResponse(responseMs);
  }

  get usage(): ReportedUsage {
    return {
      models: [...this.models.values()],
      response_ms: [...this.responseMs],
      interruptions: this.interruptions,
    };
  }

  private add(
    kind: ModelKind,
    metadata: metrics.MetricsMetadata | undefined,
    more: Partial<Omit<ReportedModel, 'kind' | 'provider' | 'model' | 'requests'>>,
  ): void {
    const [provider, model] = [metadata?.modelProvider ?? UNKNOWN, metadata?.modelName ?? UNKNOWN];
    const key = [kind, provider, model].join(' ');
    const known = this.models.get(key) ?? {
      kind,
      provider,
      model,
      input_tokens: 0,
      cached_tokens: 0,
      output_tokens: 0,
      characters: 0,
      audio_ms: 0,
      requests: 0,
    };
    this.models.set(key, {
      ...known,
      input_tokens: known.input_tokens + (more.input_tokens ?? 0),
      cached_tokens: known.cached_tokens + (more.cached_tokens ?? 0),
      output_tokens: known.output_tokens + (more.output_tokens ?? 0),
      characters: known.characters + (more.characters ?? 0),
      audio_ms: known.audio_ms + Math.round(more.audio_ms ?? 0),
      requests: known.requests + 1,
    });
  }
}
