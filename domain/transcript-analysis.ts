import { dataPointsOf, dispositionsOf, type DataPoint, type DispositionItem } from './agent-config';
import { asksForCallback } from './analysis/callback';
import { saysDoNotCall } from './analysis/do-not-call';
import { qualityOf } from './analysis/quality';
import { summaryOf } from './analysis/summary';
import { isTooShort, NOT_ENOUGH_DATA, allMentioned, lastMentioned, mentioned } from './analysis/wording';
import type { AnalysisInput, Outcome, TranscriptAnalysis } from './analysis/types';
import { assertNever } from './assert-never';
import { NEITHER, NO, YES } from './analysis/phrases';

export type {
  AnalysisInput,
  ConversationQuality,
  Measured,
  Outcome,
  TranscriptAnalysis,
} from './analysis/types';

/**
 * The built-in analyser, which matches English and Latin-letter Hindi words and phrases. Findings that the words don't show are null, and
 * the greeting of an answering machine is treated as silence.
 */
export function analyse(input: AnalysisInput): TranscriptAnalysis {
  const { segments, callStatus, config } = input;
  const isMachine = input.answeredBy === 'machine' || callStatus === 'voicemail';
  const users = isMachine
    ? []
    : segments.filter(({ speaker, text }) => speaker === 'user' && text.trim() !== '');
  const userTexts = users.map(({ text }) => text);
  const userText = userTexts.join('\n');
  const isShort = isTooShort(userText);
  // Fewer than three words decide nothing, except an opt-out such as "stop calling".
  const decisive = isShort ? '' : userText;
  const doNotCall = config.do_not_call && saysDoNotCall(userTexts);
  const callbackRequested =
    !doNotCall && !isShort && (input.callback !== undefined || asksForCallback(userTexts));
  const hasSpoken = userText !== '';
  const outcome = outcomeOf({ isMachine, callStatus, hasSpoken, decisive, callbackRequested });
  const dispositions = dispositionsOf(config);
  const answers = Object.fromEntries(
    dispositions.map((item) => [item.name, dispositionValue(item, decisive)]),
  );
  const tags = mentionedTags(dispositions, decisive);
  const quality = qualityOf(segments, decisive, input.measured ?? null);
  return {
    summary: summaryOf({ segments, userTexts, outcome, callStatus }),
    entity: Object.fromEntries(
      dataPointsOf(config).map((point) => [point.name, dataPointValue(point, decisive)]),
    ),
    evalTag: isShort ? NOT_ENOUGH_DATA : (tags[0] ?? null),
    conversationEval: {
      ...(dispositions.length > 0 && { dispositions: answers }),
      ...(config.evaluations.conversation_evaluation.enabled && {
        evaluation: { score: quality.score, sentiment: quality.sentiment, method: 'rules' },
      }),
    },
    quality,
    tags,
    outcome,
    callbackRequested,
    callbackAt: !callbackRequested ? null : (input.callback?.at ?? null),
    doNotCall,
  };
}

function outcomeOf(call: {
  isMachine: boolean;
  callStatus: AnalysisInput['callStatus'];
  hasSpoken: boolean;
  decisive: string;
  callbackRequested: boolean;
}): Outcome {
  if (call.isMachine) return 'voicemail';
  if (call.callbackRequested) return 'callback_requested';
  if (call.callStatus === 'error') return 'dropped';
  if (!call.hasSpoken) return 'no_conversation';
  const yes = saidYes(call.decisive);
  if (yes === null) return 'conversation_completed';
  return yes ? 'interested' : 'not_interested';
}

/** Returns the configured value that the user mentioned last. Returns null if there is none, because rules can't extract free text. */
function dataPointValue(point: DataPoint, userText: string): unknown {
  const { values } = point;
  const spoken = lastMentioned(userText, values.map(String));
  return spoken === null ? null : values.find((value) => String(value) === spoken);
}

/** Returns the answer to a disposition, or null if the user's words don't decide it. */
function dispositionValue(item: DispositionItem, userText: string): string | number | boolean | null {
  switch (item.type) {
    case 'bool':
      return saidYes(userText);
    case 'string':
      return lastMentioned(userText, tagsOf(item));
    case 'number':
      return lastNumber(userText);
    default:
      return assertNever(item.type);
  }
}

function mentionedTags(items: readonly DispositionItem[], userText: string): string[] {
  return [...new Set(items.flatMap((item) => mentioned(userText, tagsOf(item))))];
}

/** Returns the user's last clear yes or no. Null if there was neither. Ignores courtesies. */
function saidYes(userText: string): boolean | null {
  const said = allMentioned(userText, [...YES, ...NO, ...NEITHER]);
  const last = said.filter((phrase) => !NEITHER.includes(phrase)).at(-1);
  return last === undefined ? null : YES.includes(last);
}

const tagsOf = (item: DispositionItem): string[] => Object.keys(item.list_of_tags);

function lastNumber(userText: string): number | null {
  const last = userText.match(/\d[\d,]*(?:\.\d+)?/g)?.at(-1);
  const value = last === undefined ? Number.NaN : Number(last.replaceAll(',', ''));
  return Number.isFinite(value) ? value : null;
}
