import type { Call } from './state/call';
import { endOf, type ConversationEnd } from './state/conversation-end';
import { isDisconnected, type SessionFacts } from './state/session-state';

/**
 * How long dialling a phone can take after the agent is ready, including the wait for a trunk slot and a minute in which the carrier
 * accepts no calls. After that, the worker deletes the room.
 */
const DIAL_TIMEOUT_MS = 5 * 60_000;
/** Added to the ring timeout that LiveKit enforces, for an answer that is still in transit. */
const RING_MARGIN_MS = 30_000;

const isAnswered = (facts: Readonly<SessionFacts>): boolean =>
  facts.answeredAt !== null || isDisconnected(facts);

/** Returns null once the call is answered. */
export async function waitForAnswer(call: Call): Promise<ConversationEnd | null> {
  const { callContext, room, record, state } = call;
  reportProgress(call);
  if (isDisconnected(state.current)) return endOf(state.current);
  record.set({ call_id: callContext.callId });
  // Publish the voice before the answer, so that the greeting starts without delay.
  await room.publishVoice();
  // Set this before publishing, because another agent may publish at the same time.
  state.update({ isReady: true });
  await room.publishReady();
  const missing = callContext.medium === 'webrtc' ? await awaitBrowser(call) : await awaitPhone(call);
  return missing ?? endOf(state.current);
}

async function awaitBrowser({ state, settings }: Call): Promise<ConversationEnd | null> {
  const isHere = await state.waitUntil(isAnswered, settings.joinLimitMs);
  return isHere ? null : { by: 'agent', reason: 'no_answer' };
}

async function awaitPhone({ state, callContext }: Call): Promise<ConversationEnd | null> {
  const isDialled = await state.waitUntil(
    (facts) => facts.joinedAt !== null || isDisconnected(facts),
    DIAL_TIMEOUT_MS,
  );
  if (!isDialled) return { by: 'unanswered' };
  const isOver = await state.waitUntil(isAnswered, callContext.ringTimeoutMs + RING_MARGIN_MS);
  return isOver ? null : { by: 'unanswered' };
}

/** Reports each step of the call to the platform and records it in the room. Each step is reported only once. */
function reportProgress({ state, record, events }: Call): void {
  let [isRingingReported, isAnswerReported, isAnswererReported] = [false, false, false];
  state.subscribe(({ joinedAt, ringingAt, answeredAt, answeredBy, left }) => {
    if (joinedAt !== null) record.set({ dialing_at: iso(joinedAt) });
    if (ringingAt !== null && !isRingingReported) {
      isRingingReported = true;
      record.set({ ringing_at: iso(ringingAt) });
      events.emit({ type: 'ringing' }, new Date(ringingAt));
    }
    if (answeredAt !== null && !isAnswerReported) {
      isAnswerReported = true;
      record.set({ answered_at: iso(answeredAt) });
      events.emit({ type: 'answered' }, new Date(answeredAt));
    }
    if (answeredAt !== null && answeredBy !== null && !isAnswererReported) {
      isAnswererReported = true;
      events.emit({ type: 'answered', answered_by: answeredBy }, new Date(answeredAt));
    }
    if (left !== null) record.set({ left_at: iso(left.at), left_reason: left.reason });
  });
}

const iso = (ms: number): string => new Date(ms).toISOString();
