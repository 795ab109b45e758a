/** Runs the conversation from the answer until either party ends it or the maximum talk time has passed. */
import { lineFacts, lineState, watchForAudio } from './line';
import type { Call } from './state/call';
import { endOf, type ConversationEnd } from './state/conversation-end';
import type { Recorder } from './state/recorder';
import { isPhone } from './state/session-state';
import { openSession } from './voice/opening';
import type { PreparedOpening } from './voice/prepared-opening';
import type { SessionModels } from './voice/session-models';
import type { TurnMetrics } from './voice/turn-metrics';
import { VoiceSession } from './voice/voice-session';

interface TalkParts {
  recorder: Recorder;
  models: SessionModels;
  opening: PreparedOpening;
  metrics: TurnMetrics;
}

export async function talk(
  call: Call,
  { recorder, models, opening, metrics }: TalkParts,
): Promise<ConversationEnd> {
  const { state, callContext } = call;
  await recorder.answered();
  const talkedMs = Date.now() - (state.current.answeredAt ?? Date.now());
  const leftMs = Math.max(0, callContext.maxTalkMs - talkedMs);
  const over = new AbortController();
  state.subscribe((facts) => {
    if (endOf(facts) !== null) over.abort();
  });
  void watchForAudio(call, over.signal);
  const voiceSession = new VoiceSession(call, recorder, models, metrics);
  try {
    await voiceSession.start();
    const isOver = await Promise.race([
      state.waitUntil((facts) => endOf(facts) !== null, leftMs),
      // The opening ends the race only if it fails. After that, the other conditions decide.
      openSession(voiceSession, opening, over.signal).then(() => voiceSession.failed),
      voiceSession.failed,
    ]);
    if (!isOver) state.update({ isMaxTalkReached: true });
    const end = endOf(state.current) ?? { by: 'agent', reason: 'max_talk' };
    return (await deadLine(call, end)) ?? end;
  } finally {
    over.abort();
    await voiceSession.close();
  }
}

/**
 * Returns a `dropped` end if the connection of a silent phone is dead, otherwise null. Browsers are exempt, because they send nothing while
 * muted.
 */
async function deadLine(call: Call, end: ConversationEnd): Promise<ConversationEnd | null> {
  const { participant, isSilent } = call.state.current;
  if (end.by !== 'agent' || !isSilent || participant === null || !isPhone(participant)) return null;
  const facts = await lineFacts(call);
  const line = facts === null ? 'working' : lineState(facts);
  return line === 'working' ? null : { by: 'agent', reason: 'dropped', hadAudio: line === 'dead' };
}
