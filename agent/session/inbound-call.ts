/** Accepts or rejects an inbound call. LiveKit has created the room, and the platform decides. */
import { busyTone } from '../audio/sounds';
import { loadCall, type Call, type SessionContext } from './state/call';
import type { Participant } from './state/room-port';
import { isDisconnected } from './state/session-state';

/** Longest wait for the caller, because LiveKit dispatches the agent and adds the caller at the same time. */
const CALLER_TIMEOUT_MS = 30_000;
/** Time between the first audio, which answers the call, and the network's confirmation. */
const ANSWER_TIMEOUT_MS = 5_000;
const BUSY_TONES = 4;

/** Returns null when another agent has the call, or after the agent has told a rejected caller. */
export async function acceptCaller(context: SessionContext): Promise<Call | null> {
  const { state, room, platform, log } = context;
  await state.waitUntil((facts) => facts.participant !== null || isDisconnected(facts), CALLER_TIMEOUT_MS);
  const { participant, joinedAt } = state.current;
  if (participant === null) {
    await room.delete();
    return null;
  }
  const decision = await platform.decideInbound({
    roomName: room.name,
    to: attribute(participant, 'sip.trunkPhoneNumber'),
    from: attribute(participant, 'sip.phoneNumber'),
    at: new Date(joinedAt ?? Date.now()),
  });
  if (decision.kind === 'accepted') return loadCall(context, decision.callId);
  log.info({ decision: decision.kind }, 'a caller was not accepted');
  // Don't play a busy tone if another agent has the call, even if that agent has failed. The API ends such a call and deletes its room.
  if (decision.kind !== 'taken') await refuse(context, decision.kind === 'rejected' ? decision.say : '');
  return null;
}

/** Answers the call first, because a caller who only hears ringing would not learn that the call was rejected. */
async function refuse({ room, state }: SessionContext, say: string): Promise<void> {
  await room.publishVoice();
  await state.waitUntil((facts) => facts.answeredAt !== null || isDisconnected(facts), ANSWER_TIMEOUT_MS);
  const stop = new AbortController();
  state.subscribe((facts) => {
    if (isDisconnected(facts)) stop.abort();
  });
  if (!stop.signal.aborted) {
    if (say !== '') await room.caption(say);
    await room.play(busyTone(BUSY_TONES), stop.signal);
  }
  await room.delete();
}

const attribute = (participant: Participant, name: string): string => participant.attributes[name] ?? '';
