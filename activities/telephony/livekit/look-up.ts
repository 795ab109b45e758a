/** What a room shows of its call. */
import type { CarrierEndReason } from '../../../workflows/domain/call-outcome';
import { endOfRinging, endOfTalk, leftReasonOf } from '../../../workflows/domain/left-reason';
import type { CarrierCall } from '../port';
import { agentIn, legState, personIn, type Participant } from '../../../workflows/domain/room-participants';
import type { RoomRecord } from './room-record';

export interface SeenRoom {
  name: string;
  record: RoomRecord | null;
  participants: readonly Participant[];
}

type Reference = { reference: string; isSession: boolean };

/** Null where nobody came yet, so that nothing can be said. */
export function callIn(room: SeenRoom, { reference, isSession }: Reference): CarrierCall | null {
  const { record, participants } = room;
  const call = callSoFar(room, reference);
  const person = personIn(participants);
  if (person !== undefined) {
    // An agent is not replaced: nobody talks to them any more.
    if (agentIn(participants) === undefined) return over(call, abandoned(call), null);
    return { ...call, state: legState(person) };
  }
  if (record?.endReason != null) return over(call, record.endReason, record.leftAt);
  if (record?.leftAt != null) return over(call, endReasonOf(record, reference), record.leftAt);
  if (call.dialingAt !== null) return over(call, abandoned(call), null);
  // The agent waits for the remote party.
  if (isSession) return agentIn(participants) === undefined ? over(call, 'dropped', null) : call;
  return null;
}

function callSoFar({ name, record }: SeenRoom, reference: string): CarrierCall {
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
    // What was said came as events: LiveKit keeps none of it.
    transcript: [],
  };
}

const abandoned = ({ answeredAt }: CarrierCall): CarrierEndReason =>
  answeredAt === null ? 'carrier_failure' : 'dropped';

function endReasonOf({ answeredAt, leftReason }: RoomRecord, reference: string): CarrierEndReason {
  const left = leftReasonOf(leftReason);
  // The longest talk is the agent's to end, and it says so.
  if (answeredAt !== null) return endOfTalk(left, { talkedMs: 0, maxTalkMs: Infinity });
  return endOfRinging(left, reference.startsWith('outbound-') ? 'Outbound' : 'Incoming');
}

const over = (call: CarrierCall, endReason: CarrierEndReason, endedAt: string | null): CarrierCall => ({
  ...call,
  state: 'ended',
  endReason,
  endedAt,
});
