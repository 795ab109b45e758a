/** What a model's answer, which is of the schema, says of a call; what it may not decide is taken from facts. */
import { valueAt, type JsonObject } from '../json';
import { storableText } from '../storable-text';
import { saysDoNotCall } from './do-not-call';
import { localInstant } from './local-time';
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
import { isTooShort, NOT_ENOUGH_DATA } from './too-short';
import {
  SENTIMENTS,
  type AnalysisInput,
  type ConversationQuality,
  type Outcome,
  type TranscriptAnalysis,
} from './types';
import { wordCount } from './wording';

/** A model that rambles fills no lists and no webhooks. */
const MOST_CHARACTERS = 4_000;
const MOST_CONCERNS = 50;

export function modelFindings(
  answer: JsonObject,
  input: AnalysisInput,
  { utcOffsetMinutes }: { utcOffsetMinutes: number },
): TranscriptAnalysis {
  const questions = questionsOf(input.config);
  const userTexts = input.segments.filter(({ speaker }) => speaker === 'user').map(({ text }) => text);
  const userText = userTexts.join('\n');
  // The phrases match only what is certain (see `saysDoNotCall`), so a model's no does not outweigh them.
  const doNotCall = questions.doNotCall && (answer.do_not_call === true || saysDoNotCall(userTexts));
  const callbackRequested =
    !doNotCall && (answer.callback_requested === true || input.callback !== undefined);
  const quality = qualityFrom(answer, input, { questions, userText });
  const chosen = questions.dispositions.map((_item, index) =>
    valueAt(answer, 'dispositions', dispositionKey(index)),
  );
  return {
    summary: textOf(answer.summary),
    entity: { ...concernsOf(answer, questions), ...factsOf(answer, questions) },
    evalTag: evalTagOf(answer, questions, userText),
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
    callbackAt: doNotCall ? null : (input.callback?.at ?? callbackAt(answer, utcOffsetMinutes)),
    doNotCall,
  };
}

/** How the call ended is a fact, and no model's to judge. */
function outcomeFrom(answer: JsonObject, { callStatus }: AnalysisInput, callbackRequested: boolean): Outcome {
  if (callbackRequested) return 'callback_requested';
  if (callStatus === 'error') return 'dropped';
  const outcome = MODEL_OUTCOMES.find((each) => each === answer.outcome);
  // It contradicts itself: nobody asked to be called again.
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

function evalTagOf(answer: JsonObject, questions: Questions, userText: string): string | null {
  if (isTooShort(userText)) return NOT_ENOUGH_DATA;
  const { eval_tag: tag } = answer;
  return typeof tag === 'string' && [...allTags(questions), NOT_ENOUGH_DATA].includes(tag) ? tag : null;
}

/** The tags that string dispositions were answered with, in their order. */
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

/** Beside the facts, among which a data point of the same name wins. */
function concernsOf(answer: JsonObject, questions: Questions): JsonObject {
  if (questions.concerns === null) return {};
  const concerns = Array.isArray(answer.concerns) ? answer.concerns : [];
  return {
    concerns: concerns
      .map(textOf)
      .filter((text) => text !== '')
      .slice(0, MOST_CONCERNS),
  };
}

function callbackAt(answer: JsonObject, utcOffsetMinutes: number): number | null {
  const { callback_at: at } = answer;
  return typeof at === 'string' ? localInstant(at, utcOffsetMinutes) : null;
}

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return textOf(value);
  return typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? [...storableText(value).trim()].slice(0, MOST_CHARACTERS).join('') : '';

/** Whether a model is asked at all: a machine's greeting and silence are found from facts. */
export function isWorthAsking({ segments, answeredBy, callStatus }: Omit<AnalysisInput, 'config'>): boolean {
  if (answeredBy === 'machine' || callStatus === 'voicemail') return false;
  return segments.some(({ speaker, text }) => speaker === 'user' && wordCount(text) > 0);
}
