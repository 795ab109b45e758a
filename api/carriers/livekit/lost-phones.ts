/**
 * Phones whose leg was lost, or came back to a room without its agent. LiveKit's list of participants outlives LiveKit's own death, and the
 * bridge rejoins for a minute, longer than an agent does: whoever is listed is asked (`runtime/livekit/presence.ts`).
 */
import { callOfRoom, type RoomCall } from '../../../db/calls/room-calls';
import { regainCall } from '../../../db/calls/stranded-calls';
import type { Presence } from '../../../runtime/livekit/presence';
import { strandedByLoss, type LeftReason } from '../../../domain/left-reason';
import { lostBeforeTimeout, strandedEnd, strandedIn, type StrandedBy } from '../../../domain/stranded-call';
import type { RoomEventDependencies } from './dependencies';

export interface LostPhone {
  room: string;
  /** When the agent or the phone was lost; null where nobody knows. */
  since: number | null;
  presence: Presence;
}

/** When its agent was there for certain, at the latest by the instant. */
export const lastHeardOf = ({ reportedAt }: RoomCall, at: number): number =>
  Math.min(at, reportedAt?.getTime() ?? at);

export class LostPhones {
  constructor(
    private readonly deps: Pick<RoomEventDependencies, 'db' | 'rooms' | 'receive' | 'clock'>,
    /** For an agent that is on its way back. */
    private readonly wait: () => Promise<unknown>,
  ) {}

  /** The connection of its leg broke. */
  async lost(
    call: RoomCall,
    { room, at, reason }: { room: string; at: number; reason: LeftReason },
  ): Promise<void> {
    const since = reason === 'CONNECTION_TIMEOUT' ? lostBeforeTimeout(at) : at;
    await this.strand(call, { room, since, by: strandedByLoss(reason) });
  }

  /** Nobody is in its room. That the phone left is reported within the wait; else LiveKit lost it, and it may come back. */
  async missing(room: string, at: number): Promise<void> {
    await this.wait();
    const call = await callOfRoom(this.deps.db, room);
    if (call?.stage === 'placed') await this.strand(call, { room, since: at, by: 'livekit' });
  }

  /** Its leg is in the room again: with its agent the talk goes on; without, it is hung up. */
  async cameBack(room: string, at: number): Promise<void> {
    let presence = await this.deps.rooms.whoIsIn(room);
    let call = await callOfRoom(this.deps.db, room);
    // One whose agent reported the loss has none that comes back.
    if (!presence.agent && call?.strandedAt === null) {
      await this.wait();
      presence = await this.deps.rooms.whoIsIn(room);
      call = await callOfRoom(this.deps.db, room);
    }
    if (call?.stage !== 'placed') return;
    if (presence.agent) {
      if (call.strandedAt !== null) await regainCall(this.deps.db, call.callId, this.deps.clock.now());
      return;
    }
    const since = call.strandedAt?.getTime() ?? lastHeardOf(call, at);
    await this.release(call, { room, since, presence });
  }

  /** Nobody talks to the phone: it is hung up before the line goes to the next call, or, where that reaches no bridge, its line kept. */
  async release(call: RoomCall, { room, since, presence }: LostPhone): Promise<void> {
    const { person } = presence;
    if (person?.kind !== 'there') {
      return this.strand(call, { room, since, by: strandedIn(presence) ?? 'livekit' });
    }
    const now = this.deps.clock.now();
    await this.deps.rooms.delete(room);
    const { isAnswered } = person;
    await this.end(call, room, strandedEnd(call, { since: since ?? now, now, isAnswered }));
  }

  /** It talked, came back, and was hung up before we did it: whoever did, they heard nobody since the loss. */
  async leftInSilence(call: RoomCall, room: string, since: number): Promise<void> {
    await this.end(call, room, strandedEnd(call, { since, now: this.deps.clock.now() }));
  }

  private async end(call: RoomCall, room: string, end: ReturnType<typeof strandedEnd>): Promise<void> {
    const of = { reference: call.callId, carrierId: room };
    const answeredBy = end.answeredBy ?? null;
    if (end.answeredAt != null && call.answeredAt === null) {
      await this.deps.receive({
        ...of,
        type: 'answered',
        at: end.answeredAt,
        answeredBy: answeredBy ?? 'unknown',
      });
    }
    await this.deps.receive({ ...of, type: 'ended', at: end.endedAt, endReason: end.endReason, answeredBy });
  }

  private async strand(
    { callId: reference }: RoomCall,
    { room: carrierId, since, by }: { room: string; since: number | null; by: StrandedBy },
  ): Promise<void> {
    const at = since === null ? null : new Date(since).toISOString();
    await this.deps.receive({ type: 'lost', reference, carrierId, at, by });
  }
}
