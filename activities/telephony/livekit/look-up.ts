/** Derives the state of a call from its room. */
import type { CarrierEndReason } from '../../../domain/call-outcome';
import {
  endOfRinging,
  endOfTalk,
  isConnectionLost,
  leftReasonOf,
  orphanedByLoss,
} from '../../../domain/left-reason';
import type { CarrierCall } from '../port';
import type { Presence } from '../../../runtime/livekit/presence';
import { orphanedIn, type OrphanedBy } from '../../../domain/orphaned-call';
import { legState, personIn, shownNumberOf, type Participant } from '../../../domain/room-participants';
import type { RoomRecord } from './room-record';

interface SeenRoom {
  name: string;
  record: RoomRecord | null;
  participants: readonly Participant[];
  /** Whether the person and the agent are really in the room. */
  presence: Presence;
}

type Reference = { reference: string; isSession: boolean };

interface Seen {
  /** Null if no participant has joined yet. */
  call: CarrierCall | null;
  orphanedBy: OrphanedBy | null;
}

export function callIn(room: SeenRoom, { reference, isSession }: Reference): Seen {
  const { record, participants, presence } = room;
  const call = callSoFar(room, reference);
  const person = personIn(participants);
  const known = (seen: CarrierCall | null): Seen => ({ call: seen, orphanedBy: null });
  if (person !== undefined && presence.person !== null) {
    // A lost agent is not replaced, so the session is over.
    if (isSession) return known(presence.agent ? answered(call) : over(call, abandoned(call), null));
    return { call: { ...call, state: legState(person) }, orphanedBy: orphanedIn(presence) };
  }
  if (record?.endReason != null)
    return known({ ...over(call, record.endReason, record.leftAt), noAudio: record.noAudio });
  if (record?.leftAt != null && !(isConnectionLost(leftReasonOf(record.leftReason)) && !isSession))
    return known(over(call, endReasonOf(record, reference), record.leftAt));
  if (isSession) {
    // The session stays open while the agent waits for the browser.
    const isOver = call.dialingAt !== null || !presence.agent;
    return known(isOver ? over(call, call.dialingAt === null ? 'dropped' : abandoned(call), null) : call);
  }
  if (call.dialingAt !== null) return { call, orphanedBy: lossIn(record) };
  return known(null);
}

function callSoFar({ name, record, participants }: SeenRoom, reference: string): CarrierCall {
  return {
    carrierId: name,
    reference,
    state: 'accepted',
    endReason: null,
    answeredBy: record?.answeredAt == null ? null : 'unknown',
    dialingAt: record?.dialingAt ?? null,
    ringingAt: record?.ringingAt ?? null,
    answeredAt: record?.answeredAt ?? null,
    endedAt: null,
    // LiveKit keeps no transcript. Events deliver it instead.
    transcript: [],
    fromNumber: participants.map(shownNumberOf).find((number) => number !== undefined) ?? null,
  };
}

const lossIn = (record: RoomRecord | null): OrphanedBy =>
  record?.leftAt == null ? 'livekit' : orphanedByLoss(leftReasonOf(record.leftReason));

const answered = (call: CarrierCall): CarrierCall => ({ ...call, state: 'answered' });

const abandoned = ({ answeredAt }: CarrierCall): CarrierEndReason =>
  answeredAt === null ? 'carrier_failure' : 'dropped';

function endReasonOf({ answeredAt, leftReason }: RoomRecord, reference: string): CarrierEndReason {
  const left = leftReasonOf(leftReason);
  // Don't compare with the maximum duration, because the agent enforces it and reports the reason.
  if (answeredAt !== null) return endOfTalk(left, { talkedMs: 0, maxTalkMs: Infinity });
  return endOfRinging(left, reference.startsWith('outbound-') ? 'Outbound' : 'Incoming');
}

const over = (call: CarrierCall, endReason: CarrierEndReason, endedAt: string | null): CarrierCall => ({
  ...call,
  state: 'ended',
  endReason,
  endedAt,
});
