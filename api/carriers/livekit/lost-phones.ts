/**
 * Handles phones that lost their connection or came back to a room without an agent. LiveKit's list of participants can be stale after a crash,
 * and the bridge rejoins for longer than an agent does, so participants are probed (`runtime/livekit/presence.ts`).
 */
import { clearOrphaned } from '../../../db/calls/orphaned-calls';
import { callOfRoom, type RoomCall } from '../../../db/calls/room-calls';
import { orphanedByLoss, type LeftReason } from '../../../domain/left-reason';
import { lostBeforeTimeout, orphanedEnd, orphanedIn, type OrphanedBy } from '../../../domain/orphaned-call';
import type { Presence } from '../../../runtime/livekit/presence';
import type { RoomEventDependencies } from './rooms';

interface LostPhone {
  room: string;
  /** When the agent or the phone was lost; null if unknown. */
  since: number | null;
  presence: Presence;
}

/** Last time at which the agent was certainly present, at most `at`. */
export const lastHeardOf = ({ reportedAt }: RoomCall, at: number): number =>
  Math.min(at, reportedAt?.getTime() ?? at);

export class LostPhones {
  constructor(
    private readonly deps: Pick<RoomEventDependencies, 'db' | 'rooms' | 'receive' | 'clock'>,
    /** Waits for an agent that may be rejoining. */
    private readonly wait: () => Promise<unknown>,
  ) {}

  /** The phone's connection broke. */
  async lost(
    call: RoomCall,
    { room, at, reason }: { room: string; at: number; reason: LeftReason },
  ): Promise<void> {
    const since = reason === 'CONNECTION_TIMEOUT' ? lostBeforeTimeout(at) : at;
    await this.reportLost(call, { room, since, by: orphanedByLoss(reason) });
  }

  /** The room is empty. If the phone hung up, a webhook arrives during the wait. Otherwise LiveKit lost the phone, which may come back. */
  async missing(room: string, at: number): Promise<void> {
    await this.wait();
    const call = await callOfRoom(this.deps.db, room);
    if (call?.stage === 'placed') await this.reportLost(call, { room, since: at, by: 'livekit' });
  }

  /** The phone rejoined the room. If its agent is there, the call continues; otherwise the phone is hung up. */
  async cameBack(room: string, at: number): Promise<void> {
    let presence = await this.deps.rooms.whoIsIn(room);
    let call = await callOfRoom(this.deps.db, room);
    // An agent that reported the loss itself won't come back, so don't wait for it.
    if (!presence.agent && call?.orphanedAt === null) {
      await this.wait();
      presence = await this.deps.rooms.whoIsIn(room);
      call = await callOfRoom(this.deps.db, room);
    }
    if (call?.stage !== 'placed') return;
    if (presence.agent) {
      if (call.orphanedAt !== null) await clearOrphaned(this.deps.db, call.callId, this.deps.clock.now());
      return;
    }
    const since = call.orphanedAt?.getTime() ?? lastHeardOf(call, at);
    await this.release(call, { room, since, presence });
  }

  /** Hangs up a phone without an agent before its line is granted to the next call. If the hang-up reaches no bridge, the line is kept. */
  async release(call: RoomCall, { room, since, presence }: LostPhone): Promise<void> {
    const { person } = presence;
    if (person?.kind !== 'there') {
      return this.reportLost(call, { room, since, by: orphanedIn(presence) ?? 'livekit' });
    }
    const now = this.deps.clock.now();
    await this.deps.rooms.delete(room);
    const { isAnswered } = person;
    await this.end(call, room, orphanedEnd(call, { since: since ?? now, now, isAnswered }));
  }

  /** The phone came back without an agent and left before we hung it up. The call is recorded as ended at the time of the loss. */
  async leftInSilence(call: RoomCall, room: string, since: number): Promise<void> {
    await this.end(call, room, orphanedEnd(call, { since, now: this.deps.clock.now() }));
  }

  private async end(call: RoomCall, room: string, end: ReturnType<typeof orphanedEnd>): Promise<void> {
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

  private async reportLost(
    { callId: reference }: RoomCall,
    { room: carrierId, since, by }: { room: string; since: number | null; by: OrphanedBy },
  ): Promise<void> {
    const at = since === null ? null : new Date(since).toISOString();
    await this.deps.receive({ type: 'lost', reference, carrierId, at, by });
  }
}
