/** Has a language model read the conversation of a call that is over. Workflows name the call; what was said stays in Postgres. */
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
import { callTimeZone } from './call-time-zone';
import { checkedAnswer, type CheckedAnswer } from './checked-answer';
import {
  ModelRefused,
  ModelUnavailable,
  type LanguageModel,
  type ModelMessage,
  type ModelTokens,
} from './model';

/** The part of the questions at once that one organization may have. */
const OF_ONE = 3 / 4;
/** Not all at once when a place is free. */
const BUSY_RETRY_MS = 3_000;
/** Far below the heartbeat time-out, far above what most answers take: those send none. */
const HEARTBEAT_MS = 8_000;

export interface Analysed {
  /** How often the model was asked in this run; 0 where nothing was left to ask. */
  questions: number;
}

type Deps = Pick<ActivityDependencies, 'db' | 'model' | 'log' | 'settings'>;

export function analysingActivities(deps: Deps) {
  const { atOnce } = deps.settings.analysis;
  const shares = new Shares({ most: atOnce, mostOfOne: Math.ceil(atOnce * OF_ONE) });
  return {
    /**
     * The answer is stored, once, for the process that concludes the call. Run again after a crash, the model is asked again.
     * @throws ApplicationFailure `ModelUnavailable` where a retry may be answered; `ModelRefused`, `AnswerInvalid` where none will
     */
    async analyseCall({ callId }: { callId: string }): Promise<Analysed> {
      const { model } = deps;
      if (model === null)
        throw ApplicationFailure.nonRetryable('no model is configured any more', 'ModelRefused');
      const call = await loadEndedCall(deps.db, callId);
      if (call === undefined || call.concludedAt !== null || call.modelAnswer !== null)
        return { questions: 0 };
      // A server of our own answers so many at once: more would only wait there, until their time-out.
      const release = shares.take(call.clientId);
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
  deps.log.warn({ call_id: callId, questions }, 'no answer of the model was of the schema: going by rules');
  throw ApplicationFailure.nonRetryable('no answer of the model was of the schema', 'AnswerInvalid');
}

/** What Temporal records of the fault: no more than operators may read. */
async function asFailure({ db, log }: Deps, callId: string, error: unknown): Promise<unknown> {
  if (!(error instanceof ModelUnavailable) && !(error instanceof ModelRefused)) return error;
  const failure: AnalysisFailure = error instanceof ModelRefused ? 'refused' : 'unavailable';
  await noteFailure(db, { callId, failure, usage: [] });
  log.warn({ call_id: callId, failure, error: error.message }, 'the model gave no answer');
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
    message: 'as many questions as may be are under way',
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
    // As the agent names any server that speaks this interface, so that one rate serves both.
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
