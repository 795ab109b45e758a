import { dataPointsOf, dispositionsOf } from './agent-config';
import { dataPointValue, dispositionValue, mentionedTags, saidYes } from './analysis/answers';
import { asksForCallback } from './analysis/callback';
import { qualityOf } from './analysis/quality';
import { summaryOf } from './analysis/summary';
import type { AnalysisInput, Outcome, TranscriptAnalysis } from './analysis/types';
import { wordCount } from './analysis/wording';
import { valueAt } from './json';

export type {
  AnalysisInput,
  ConversationQuality,
  Outcome,
  SpokenSegment,
  TranscriptAnalysis,
} from './analysis/types';

/** Fewer words of the user than this decide nothing. */
const MIN_USER_WORDS = 3;

/**
 * The built-in analyser: whole words and phrases of English and Latin-letter Hindi, no model. The same
 * transcript always gives the same answer. What the words do not show is null, never guessed. A machine's
 * greeting counts as nobody speaking.
 */
export function analyse(input: AnalysisInput): TranscriptAnalysis {
  const { segments, callStatus, config } = input;
  const isMachine = input.answeredBy === 'machine' || callStatus === 'voicemail';
  const users = isMachine
    ? []
    : segments.filter(({ speaker, text }) => speaker === 'user' && text.trim() !== '');
  const userTexts = users.map(({ text }) => text);
  const userText = userTexts.join('\n');
  const isTooShort = wordCount(userText) < MIN_USER_WORDS;
  const callbackRequested = asksForCallback(userTexts);
  const outcome = outcomeOf({ isMachine, callStatus, userText, callbackRequested });
  const dispositions = dispositionsOf(config);
  const answers = Object.fromEntries(
    dispositions.map((item) => [item.name, dispositionValue(item, userText)]),
  );
  const tags = mentionedTags(dispositions, userText);
  const quality = qualityOf(segments, userText);
  return {
    summary: summaryOf({ segments, userTexts, outcome, callStatus }),
    entity: Object.fromEntries(
      dataPointsOf(config).map((point) => [point.name, dataPointValue(point, userText)]),
    ),
    evalTag: isTooShort ? 'not enough data' : (tags[0] ?? null),
    conversationEval: {
      ...(dispositions.length > 0 && { dispositions: answers }),
      ...(isEvaluationEnabled(config) && {
        evaluation: { score: quality.score, sentiment: quality.sentiment, method: 'rules' },
      }),
    },
    quality,
    tags,
    outcome,
    callbackRequested,
  };
}

function outcomeOf(call: {
  isMachine: boolean;
  callStatus: string;
  userText: string;
  callbackRequested: boolean;
}): Outcome {
  if (call.isMachine) return 'voicemail';
  if (call.callbackRequested) return 'callback_requested';
  if (call.callStatus === 'error') return 'dropped';
  if (call.userText === '') return 'no_conversation';
  const yes = saidYes(call.userText);
  if (yes === null) return 'conversation_completed';
  return yes ? 'interested' : 'not_interested';
}

function isEvaluationEnabled(config: AnalysisInput['config']): boolean {
  return valueAt(config, 'evaluations', 'conversation_evaluation', 'enabled') === true;
}
