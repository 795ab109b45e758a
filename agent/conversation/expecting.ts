/** From a brief to somebody who has answered. */
import type { HeldCall } from './call';
import { endOf, type ConversationEnd } from './end';
import { isCutOff, type Facts } from './situation';
import { tellWhatHappens } from './telling';

/**
 * How long a phone call may take to be dialled once the agent is ready: its turn on the trunk, and a minute of a carrier that takes no
 * calls. Where it is not dialled, the worker deletes the room.
 */
const DIALLED_WITHIN_MS = 5 * 60_000;
/** Beyond the ring timeout, which LiveKit keeps: for an answer that is on its way. */
const RING_MARGIN_MS = 30_000;

const isAnswered = (facts: Readonly<Facts>): boolean => facts.answeredAt !== null || isCutOff(facts);

/** Null once somebody answered. */
export async function expectOtherSide(call: HeldCall): Promise<ConversationEnd | null> {
  const { brief, room, record, situation } = call;
  tellWhatHappens(call);
  if (isCutOff(situation.now)) return endOf(situation.now);
  record.note({ call_id: brief.callId });
  // Before anybody answers, so that the greeting is not late.
  await room.openVoice();
  // Before it is told: another agent may say so at the same time.
  situation.change({ isReady: true });
  await room.sayReady();
  const missing = brief.medium === 'webrtc' ? await awaitBrowser(call) : await awaitPhone(call);
  return missing ?? endOf(situation.now);
}

async function awaitBrowser({ situation, settings }: HeldCall): Promise<ConversationEnd | null> {
  const isHere = await situation.until(isAnswered, settings.joinLimitMs);
  return isHere ? null : { by: 'agent', reason: 'no_answer' };
}

async function awaitPhone({ situation, brief }: HeldCall): Promise<ConversationEnd | null> {
  const isDialled = await situation.until(
    (facts) => facts.joinedAt !== null || isCutOff(facts),
    DIALLED_WITHIN_MS,
  );
  if (!isDialled) return { by: 'nobody' };
  const isOver = await situation.until(isAnswered, brief.ringTimeoutMs + RING_MARGIN_MS);
  return isOver ? null : { by: 'nobody' };
}
