/** Has a language model analyse the conversation of a call that is over. The transcript stays in Postgres and never reaches Temporal. */
import { randomBytes } from 'node:crypto';
import { ApplicationFailure, Context } from '@temporalio/activity';
import { noteFailure, saveAnswer, type AnalysisFailure } from '../../db/calls/analyses';
import type { PricedModel } from '../../db/calls/reports';
import { loadEndedCall, type EndedCall } from '../../db/calls/conclusions';
import { instructions, questionsWithData, transcriptMessage } from '../../domain/analysis/prompt';
import { answerSchema, type JsonSchema } from '../../domain/analysis/schema';
import { effectiveConfig, templateVariables } from '../../domain/effective-config';
import { costOf } from '../../domain/usage-cost';
import { Shares } from '../../runtime/shares';
import type { ActivityDependencies } from '../dependencies';
import { checkedAnswer, type CheckedAnswer } from './checked-answer';
import {
  ModelRefused,
  ModelUnavailable,
  type LanguageModel,
  type ModelMessage,
  type ModelTokens,
} from './model';
import { timeZoneOf } from '../../domain/local-time';

/** The share of the model request slots that one organization can use. */
const OF_ONE = 3 / 4;
/** Random, so that retries don't all arrive at once. */
const BUSY_RETRY_MS = 3_000;
/** Well below the heartbeat timeout. Most answers are faster and need no heartbeat. */
const HEARTBEAT_MS = 8_000;

interface Analysed {
  /** The number of requests that were sent to the model. 0 if the call needs no analysis. */
  questions: number;
}

type Deps = Pick<ActivityDependencies, 'db' | 'model' | 'log' | 'settings'>;

export function analysingActivities(deps: Deps) {
  const { atOnce } = deps.settings.analysis;
  const shares = new Shares({ max: atOnce, maxPerOwner: Math.ceil(atOnce * OF_ONE) });
  return {
    /**
     * Stores the model's answer once, for `concludeCall`. After a crash, a retry queries the model again.
     * @throws ApplicationFailure `ModelUnavailable` if a retry may succeed, otherwise `ModelRefused` or `AnswerInvalid`
     */
    async analyseCall({ callId }: { callId: string }): Promise<Analysed> {
      const { model } = deps;
      if (model === null)
        throw ApplicationFailure.nonRetryable('no language model is configured', 'ModelRefused');
      const call = await loadEndedCall(deps.db, callId);
      if (call === undefined || call.concludedAt !== null || call.modelAnswer !== null)
        return { questions: 0 };
      // Limit concurrent requests, because a self-hosted server would queue the excess until it times out.
      const release = shares.take(call.organizationId);
      if (release === null) throw busy();
      const alive = setInterval(() => Context.current().heartbeat(), HEARTBEAT_MS);
      try {
        return await analysed(deps, call, model);
      } finally {
        clearInterval(alive);
        release();
      }
    },
  };
}

async function analysed(deps: Deps, call: EndedCall, model: LanguageModel): Promise<Analysed> {
  const { messages, schema } = questionAbout(call, callTimeZone(deps, call));
  const { cancellationSignal } = Context.current();
  try {
    const checked = await checkedAnswer(model, messages, schema, cancellationSignal);
    return await saved(deps, call.callId, model, checked);
  } catch (error) {
    throw await asFailure(deps, call.callId, error);
  }
}

async function saved(
  deps: Deps,
  callId: string,
  { name }: LanguageModel,
  { answer, questions, tokens }: CheckedAnswer,
): Promise<Analysed> {
  const usage = [pricedModel(deps, name, tokens, questions)];
  if (answer !== null) {
    await saveAnswer(deps.db, { callId, answer, model: name, usage });
    return { questions };
  }
  await noteFailure(deps.db, { callId, failure: 'invalid', usage });
  deps.log.warn({ call_id: callId, questions }, 'no answer of the model matched the schema: using the rules');
  throw ApplicationFailure.nonRetryable('no answer of the model matched the schema', 'AnswerInvalid');
}

/** Converts the error to one that is safe to store in Temporal, where operators can read it. */
async function asFailure({ db, log }: Deps, callId: string, error: unknown): Promise<unknown> {
  if (!(error instanceof ModelUnavailable) && !(error instanceof ModelRefused)) return error;
  const failure: AnalysisFailure = error instanceof ModelRefused ? 'refused' : 'unavailable';
  await noteFailure(db, { callId, failure, usage: [] });
  log.warn({ call_id: callId, failure, error: error.message }, 'the model did not respond');
  if (error instanceof ModelRefused) return ApplicationFailure.nonRetryable(error.message, error.name);
  return ApplicationFailure.create({
    type: error.name,
    message: error.message,
    nextRetryDelay: error.retryAfterMs ?? undefined,
  });
}

const busy = (): ApplicationFailure =>
  ApplicationFailure.create({
    type: 'ModelUnavailable',
    message: 'this worker has reached its limit of concurrent model requests',
    nextRetryDelay: BUSY_RETRY_MS * (1 + Math.random()),
  });

function questionAbout(call: EndedCall, timeZone: string): { messages: ModelMessage[]; schema: JsonSchema } {
  const config = effectiveConfig(call.agentConfig, call.modifyAgent);
  const { questions, notice } = questionsWithData(config, templateVariables(config, call));
  const boundary = `----- ${randomBytes(12).toString('hex')} -----`;
  const startedAt = (call.answeredAt ?? call.endedAt).getTime();
  const transcript = transcriptMessage({ segments: call.segments, startedAt, timeZone, boundary });
  return {
    messages: [
      { role: 'system', content: instructions(boundary, notice) },
      { role: 'user', content: transcript },
    ],
    schema: answerSchema(questions),
  };
}

function pricedModel({ settings }: Deps, model: string, tokens: ModelTokens, requests: number): PricedModel {
  const usage = {
    kind: 'llm' as const,
    // The agent uses the same provider name for every server with this API, so one price applies to both.
    provider: 'openai',
    model,
    inputTokens: tokens.input,
    cachedTokens: tokens.cached,
    outputTokens: tokens.output,
    characters: 0,
    audioMs: 0,
    requests,
  };
  return { ...usage, purpose: 'analysis', cost: costOf(usage, settings.analysis.rates) };
}

/** Returns the person's time zone. The agent uses the same rule during the call. */
export function callTimeZone(
  { settings, log }: Pick<ActivityDependencies, 'settings' | 'log'>,
  call: Pick<EndedCall, 'callId' | 'agentConfig' | 'modifyAgent' | 'variables' | 'name'>,
): string {
  const config = effectiveConfig(call.agentConfig, call.modifyAgent);
  return timeZoneOf(templateVariables(config, call), {
    fallback: settings.analysis.timeZone,
    onUnknown: () => log.warn({ call_id: call.callId }, 'the variable timezone is not a known time zone'),
  });
}
