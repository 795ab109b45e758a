/** A caller whom LiveKit put into a room of their own: the platform decides whether they are taken. */
import type { Guest } from './room-port';
import { busyTone } from '../sound/tones';
import { briefedCall, type HeldCall, type Stage } from './call';
import { isCutOff } from './situation';

/** LiveKit asks for the agent and brings the caller at the same time. */
const CALLER_WITHIN_MS = 30_000;
/** From the first sound on the line, which answers the call, to the network's word that it is answered. */
const ANSWERED_WITHIN_MS = 5_000;
const BUSY_TONES = 4;

/** Null for a caller who is not taken, and who heard so. */
export async function takeCaller(stage: Stage): Promise<HeldCall | null> {
  const { situation, room, platform, log } = stage;
  await situation.until((facts) => facts.guest !== null || isCutOff(facts), CALLER_WITHIN_MS);
  const { guest, joinedAt } = situation.now;
  if (guest === null) {
    await room.delete();
    return null;
  }
  const decision = await platform.decideInbound({
    roomName: room.name,
    to: attribute(guest, 'sip.trunkPhoneNumber'),
    from: attribute(guest, 'sip.phoneNumber'),
    at: new Date(joinedAt ?? Date.now()),
  });
  if (decision?.accept === true) return briefedCall(stage, decision.callId);
  log.info({ decided: decision !== null }, 'a caller was not taken');
  await refuse(stage, decision?.say ?? '');
  return null;
}

/** The phone is answered for it: a caller who only hears ringing does not know. */
async function refuse({ room, situation }: Stage, say: string): Promise<void> {
  await room.openVoice();
  await situation.until((facts) => facts.answeredAt !== null || isCutOff(facts), ANSWERED_WITHIN_MS);
  const stop = new AbortController();
  situation.watch((facts) => {
    if (isCutOff(facts)) stop.abort();
  });
  if (!stop.signal.aborted) {
    if (say !== '') await room.caption(say);
    await room.play(busyTone(BUSY_TONES), stop.signal);
  }
  await room.delete();
}

const attribute = (guest: Guest, name: string): string => guest.attributes[name] ?? '';
