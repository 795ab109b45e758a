/** Reports of the agent besides call progress: model usage, and a request for a callback. */
import Joi from 'joi';
import { MODEL_KINDS, type ModelUsage } from '../../../domain/usage-cost';
import type { ReportedModel, ReportedUsage } from '../../../domain/usage-report';
import { storableText } from '../../../domain/storable-text';

export interface UsageReport {
  type: 'usage';
  models: ModelUsage[];
  /** Milliseconds from the end of each user turn to the agent's first sound. */
  responseMs: number[];
  interruptions: number;
}

export interface CallbackReport {
  type: 'callback';
  /** Null if no time was named. */
  callbackAt: string | null;
}

/** The fields that reports have in addition to those of all events. */
export interface WireReports extends ReportedUsage {
  callback_at: string | null;
}

const count = Joi.number().integer().min(0).max(Number.MAX_SAFE_INTEGER).default(0);
const name = Joi.string().allow('').max(200);

export const MODELS = Joi.array()
  .max(50)
  .items(
    Joi.object<ReportedModel>({
      kind: Joi.string()
        .valid(...MODEL_KINDS)
        .required(),
      provider: name.required(),
      model: name.required(),
      input_tokens: count,
      cached_tokens: count,
      output_tokens: count,
      characters: count,
      audio_ms: count,
      requests: count,
    }).unknown(),
  );

/** More than the turns of the fastest hour-long call. */
export const RESPONSES = Joi.array().max(5_000).items(Joi.number().min(0).max(3_600_000));
export const INTERRUPTIONS = Joi.number().integer().min(0).max(100_000);

export const usageReport = ({ models, response_ms, interruptions }: WireReports): UsageReport => ({
  type: 'usage',
  models: models.map((wire) => ({
    kind: wire.kind,
    provider: storableText(wire.provider),
    model: storableText(wire.model),
    inputTokens: wire.input_tokens,
    cachedTokens: wire.cached_tokens,
    outputTokens: wire.output_tokens,
    characters: wire.characters,
    audioMs: wire.audio_ms,
    requests: wire.requests,
  })),
  responseMs: response_ms.map(Math.round),
  interruptions,
});
