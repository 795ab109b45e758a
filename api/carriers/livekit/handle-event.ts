/**
 * What LiveKit's webhooks mean for calls. The agent reports the talk, and the worker that asked for a call learns how its ringing ended; what
 * is left is what neither can report: that the remote party left, and that the agent is gone. Lost, repeated and late webhooks change nothing:
 * the first end that is reported stands, and reconciliation looks for what nobody reported.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { callOfRoom, type RoomCall } from '../../../db/calls/room-calls';
import type { Db } from '../../../db/kernel/connection';
import { maxTalkSeconds } from '../../../workflows/domain/agent-config';
import { assertNever } from '../../../workflows/domain/assert-never';
import type { AnsweredBy, CarrierEndReason } from '../../../workflows/domain/call-outcome';
import { effectiveConfig } from '../../../workflows/domain/effective-config';
import { endOfRinging, endOfTalk, isRemoved } from '../../../workflows/domain/left-reason';
import type { CarrierEvent } from '../http/event';
import { Pending } from './pending';
import type { RoomEvent } from './room-event';
import type { Rooms } from './rooms';

export interface RoomEventDependencies {
  db: Db;
  rooms: Rooms;
  receive: (event: CarrierEvent) => Promise<unknown>;
  log: { warn(fields: Record<string, unknown>, sentence: string): void };
}

/** For what is more exact to be reported first: the SIP status by the worker, the answer and the end by the agent. */
const COARSE_AFTER_MS = 3_000;
/** Clocks differ. What is older than the request for the call by more is of an earlier request that came to nothing. */
const OF_AN_EARLIER_REQUEST_MS = 30_000;

type PersonLeft = Extract<RoomEvent, { kind: 'personLeft' }>;
type LeftAlone = Extract<RoomEvent, { kind: 'agentLeft' | 'roomClosed' }>;

export class RoomEvents {
  private readonly pending: Pending;

  constructor(
    private readonly deps: RoomEventDependencies,
    wait: () => Promise<unknown> = () => sleep(COARSE_AFTER_MS),
  ) {
    this.pending = new Pending(wait);
  }

  /** Resolves when it is applied, or put off. */
  async handle(event: RoomEvent): Promise<void> {
    switch (event.kind) {
      case 'phoneCame':
        return this.phoneCame(event);
      case 'personLeft':
        return this.personLeft(event);
      case 'agentLeft':
      case 'roomClosed':
        return this.later(event, () => this.leftAlone(event));
      case 'other':
        return;
      default:
        return assertNever(event);
    }
  }

  /** What was put off is done before. */
  close(): Promise<void> {
    return this.pending.settled();
  }

  private async phoneCame({ room, at }: Extract<RoomEvent, { kind: 'phoneCame' }>): Promise<void> {
    const call = await callOfRoom(this.deps.db, room);
    // A caller's phone was not dialled.
    if (call?.direction !== 'Outbound' || isOfEarlierRequest(call, at)) return;
    await this.deps.receive({ type: 'dialing', reference: call.callId, carrierId: room, at: iso(at) });
  }

  private async personLeft(event: PersonLeft): Promise<void> {
    const call = await callOfRoom(this.deps.db, event.room);
    if (call === undefined || call.stage === 'over') return;
    // The process that removed the participant reports why: the agent removes first, and reports then.
    if (call.answeredAt !== null && !isRemoved(event.reason)) return this.endAsLeft(call, event);
    this.later(event, async () => {
      const later = await callOfRoom(this.deps.db, event.room);
      if (later !== undefined && later.stage !== 'over') await this.endAsLeft(later, event);
    });
  }

  private async endAsLeft(call: RoomCall, { room, at, reason, joinedAt }: PersonLeft): Promise<void> {
    if (isOfEarlierRequest(call, joinedAt)) return;
    await this.end(call, { room, at, endReason: endReasonOf(call, reason, at) });
  }

  /** The agent is gone, and no other came: whoever is there talks to nobody. */
  private async leftAlone({ room, at }: LeftAlone): Promise<void> {
    const call = await callOfRoom(this.deps.db, room);
    // Before it is placed a room may go and come again: the dial sees to it.
    if (call?.stage !== 'placed' || isOfEarlierRequest(call, at)) return;
    const { person, agent } = await this.deps.rooms.whoIsIn(room);
    if (agent) return;
    const endReason = call.answeredAt === null ? 'carrier_failure' : 'dropped';
    // First: with the end the line goes to the next call.
    if (person) await this.deps.rooms.delete(room);
    await this.end(call, { room, at, endReason });
  }

  private async end(
    call: RoomCall,
    { room, at, endReason }: { room: string; at: number; endReason: CarrierEndReason },
  ): Promise<void> {
    const { callId: reference } = call;
    const answeredBy = answeredByOf(call);
    await this.deps.receive({
      type: 'ended',
      reference,
      carrierId: room,
      at: iso(at),
      endReason,
      answeredBy,
    });
  }

  private later({ kind }: RoomEvent, look: () => Promise<void>): void {
    this.pending.later(async () => {
      try {
        await look();
      } catch (error) {
        // Reconciliation looks the call up.
        const name = error instanceof Error ? error.name : 'unknown';
        this.deps.log.warn({ event: kind, error: name }, 'an event of LiveKit was not applied');
      }
    });
  }
}

function isOfEarlierRequest({ askedAt }: RoomCall, at: number): boolean {
  return askedAt !== null && at + OF_AN_EARLIER_REQUEST_MS < askedAt.getTime();
}

function endReasonOf(call: RoomCall, reason: PersonLeft['reason'], at: number): CarrierEndReason {
  const { answeredAt, direction, config, modifyAgent } = call;
  if (answeredAt === null) return endOfRinging(reason, direction);
  const maxTalkMs = maxTalkSeconds(effectiveConfig(config, modifyAgent)) * 1000;
  return endOfTalk(reason, { talkedMs: at - answeredAt.getTime(), maxTalkMs });
}

/** Who picked up is reported later than the answer itself. */
function answeredByOf({ answeredAt, answeredBy }: RoomCall): AnsweredBy | null {
  if (answeredBy === 'human' || answeredBy === 'machine') return answeredBy;
  return answeredAt === null ? null : 'unknown';
}

const iso = (ms: number): string => new Date(ms).toISOString();
