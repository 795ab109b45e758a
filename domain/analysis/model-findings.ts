/** Derives a call's findings from a model's valid answer. Facts about the call override the answer. */
import { valueAt, type JsonObject } from '../json';
import { storableText } from '../storable-text';
import { instantOf } from '../local-time';
import { analyse } from '../transcript-analysis';
import { asksForCallback } from './callback';
import { saysDoNotCall } from './do-not-call';
import { qualityOf, scoreOf } from './quality';
import {
  allTags,
  answersOf,
  dataPointKey,
  dispositionKey,
  MODEL_OUTCOMES,
  questionsOf,
  tagsOf,
  type Questions,
} from './schema';
import {
  SENTIMENTS,
  type AnalysisInput,
  type ConversationQuality,
  type Outcome,
  type TranscriptAnalysis,
} from './types';
import { isQuoted, isTooShort, NOT_ENOUGH_DATA } from './wording';

/** Limits for strings and lists from a model. */
const MAX_CHARACTERS = 4_000;
const MAX_CONCERNS = 50;

export function modelFindings(
  answer: JsonObject,
  input: AnalysisInput,
  { timeZone }: { timeZone: string },
): TranscriptAnalysis {
  const questions = questionsOf(input.config);
  const userTexts = userTextsOf(input);
  const userText = userTexts.join('\n');
  // With so few words, the model would have invented its answer.
  if (isTooShort(userText)) return analyse(input);
  // The phrases match only clear opt-outs (see `saysDoNotCall`), so a match overrides a "no" from the model.
  const doNotCall = questions.doNotCall && (answer.do_not_call === true || saysDoNotCall(userTexts));
  const callbackRequested =
    !doNotCall && (input.callback !== undefined || isCallbackProven(answer, userTexts));
  const quality = qualityFrom(answer, input, { questions, userText });
  const chosen = questions.dispositions.map((_item, index) =>
    valueAt(answer, 'dispositions', dispositionKey(index)),
  );
  return {
    summary: textOf(answer.summary),
    entity: { ...concernsOf(answer, questions), ...factsOf(answer, questions) },
    evalTag: evalTagOf(answer, questions),
    conversationEval: {
      ...(questions.dispositions.length > 0 && {
        dispositions: Object.fromEntries(
          questions.dispositions.map(({ name }, index) => [name, cleaned(chosen[index])]),
        ),
      }),
      ...(questions.evaluation !== null && {
        evaluation: {
          score: quality.score,
          sentiment: quality.sentiment,
          explanation: textOf(valueAt(answer, 'evaluation', 'explanation')),
          method: 'model',
        },
      }),
    },
    quality,
    tags: tagsAmong(questions, chosen),
    outcome: outcomeFrom(answer, input, callbackRequested),
    callbackRequested,
    callbackAt: doNotCall ? null : (input.callback?.at ?? callbackAt(answer, timeZone)),
    doNotCall,
  };
}

const userTextsOf = ({ segments }: Pick<AnalysisInput, 'segments'>): string[] =>
  segments.filter(({ speaker }) => speaker === 'user').map(({ text }) => text);

/** A callback causes a call, so the model's claim must be backed by the person's own words. */
function isCallbackProven(answer: JsonObject, userTexts: readonly string[]): boolean {
  const { callback_requested: isRequested, callback_quote: quote } = answer;
  if (isRequested !== true) return false;
  return asksForCallback(userTexts) || (typeof quote === 'string' && isQuoted(quote, userTexts.join(' ')));
}

/** Facts about the end of the call override the model. */
function outcomeFrom(answer: JsonObject, { callStatus }: AnalysisInput, callbackRequested: boolean): Outcome {
  if (callbackRequested) return 'callback_requested';
  if (callStatus === 'error') return 'dropped';
  const outcome = MODEL_OUTCOMES.find((each) => each === answer.outcome);
  // If the model chose `callback_requested`, it contradicts itself, because no callback was requested.
  return outcome === undefined || outcome === 'callback_requested' ? 'conversation_completed' : outcome;
}

function qualityFrom(
  answer: JsonObject,
  input: AnalysisInput,
  { questions, userText }: { questions: Questions; userText: string },
): ConversationQuality {
  const computed = qualityOf(input.segments, userText, input.measured ?? null);
  const sentiment = SENTIMENTS.find((each) => each === answer.sentiment) ?? computed.sentiment;
  const score = questions.evaluation === null ? null : valueAt(answer, 'evaluation', 'score');
  return {
    ...computed,
    sentiment,
    score: typeof score === 'number' ? Math.round(score) : scoreOf({ ...computed, sentiment }),
  };
}

function evalTagOf(answer: JsonObject, questions: Questions): string | null {
  const { eval_tag: tag } = answer;
  return typeof tag === 'string' && [...allTags(questions), NOT_ENOUGH_DATA].includes(tag) ? tag : null;
}

/** Returns the tags that the model chose, in the order of the agent's configuration. */
const tagsAmong = ({ dispositions }: Questions, chosen: readonly unknown[]): string[] => [
  ...new Set(dispositions.flatMap((item, index) => tagsOf(item).filter((tag) => tag === chosen[index]))),
];

function factsOf(answer: JsonObject, { dataPoints }: Questions): JsonObject {
  return Object.fromEntries(
    dataPoints.map((point, index) => {
      const value = valueAt(answer, 'facts', dataPointKey(index));
      return [point.name, answersOf(point).length > 0 ? (value ?? null) : cleaned(value)];
    }),
  );
}

/** Returns the concerns. A data point with the same name overrides them. */
function concernsOf(answer: JsonObject, questions: Questions): JsonObject {
  if (questions.concerns === null) return {};
  const concerns = Array.isArray(answer.concerns) ? answer.concerns : [];
  return {
    concerns: concerns
      .map(textOf)
      .filter((text) => text !== '')
      .slice(0, MAX_CONCERNS),
  };
}

function callbackAt(answer: JsonObject, timeZone: string): number | null {
  const { callback_at: at } = answer;
  return typeof at === 'string' ? (instantOf(at, timeZone)?.getTime() ?? null) : null;
}

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return textOf(value);
  return typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? [...storableText(value).trim()].slice(0, MAX_CHARACTERS).join('') : '';

/** Returns whether to have the model analyse a call. Facts already identify answering machines, and a few words decide nothing. */
export function isWorthAsking(input: Omit<AnalysisInput, 'config'>): boolean {
  if (input.answeredBy === 'machine' || input.callStatus === 'voicemail') return false;
  return !isTooShort(userTextsOf(input).join('\n'));
}
