import type { RecordedCall } from '../../db/calls/history';
import type { CallFigures, PricedModel } from '../../db/calls/reports';
import { totalCost } from '../../domain/usage-cost';
import type { CallDetailsBody } from './resource';
import { transcriptText } from './present-transcript';

export const NOT_AVAILABLE = 'Transcript not available for further evaluation';

export function presentCallDetails(call: RecordedCall, { models, method }: CallFigures): CallDetailsBody {
  const usage = presentUsage(models);
  if (call.postProcessingStatus !== 'completed') {
    return {
      transcription: NOT_AVAILABLE,
      entity: NOT_AVAILABLE,
      conversation_eval: NOT_AVAILABLE,
      summary: NOT_AVAILABLE,
      call_eval_tag: null,
      analysis_method: null,
      usage,
    };
  }
  return {
    transcription: transcriptText(call.segments),
    entity: call.entity ?? {},
    conversation_eval: call.conversationEval ?? {},
    summary: call.summary ?? '',
    call_eval_tag: call.evalTag,
    analysis_method: method ?? 'rules',
    usage,
  };
}

function presentUsage(models: PricedModel[]): CallDetailsBody['usage'] {
  if (models.length === 0) return null;
  return { models: models.map(presentModel), cost: totalCost(models.map(({ cost }) => cost)) };
}

const presentModel = (used: PricedModel) => ({
  kind: used.kind,
  provider: used.provider,
  model: used.model,
  purpose: used.purpose,
  input_tokens: used.inputTokens,
  cached_tokens: used.cachedTokens,
  output_tokens: used.outputTokens,
  characters: used.characters,
  audio_ms: used.audioMs,
  requests: used.requests,
  cost: used.cost,
});
