import { dataPointsOf, dispositionsOf } from './agent-config';
import { dataPointValue, dispositionValue, mentionedTags, saidYes } from './analysis/answers';
import { asksForCallback } from './analysis/callback';
import { saysDoNotCall } from './analysis/do-not-call';
import { qualityOf } from './analysis/quality';
import { summaryOf } from './analysis/summary';
import { isTooShort, NOT_ENOUGH_DATA } from './analysis/wording';
import type { AnalysisInput, Outcome, TranscriptAnalysis } from './analysis/types';

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
