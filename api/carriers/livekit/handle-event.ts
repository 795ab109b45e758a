/**
 * What LiveKit's webhooks mean for calls. The agent reports the talk, and the worker that asked for a call learns how its ringing ended; what
 * is left is what neither can report: that the remote party left, and that the agent is gone. Lost, repeated and late webhooks change nothing:
 * the first end that is reported stands, and reconciliation looks for what nobody reported.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { callOfRoom, type RoomCall } from '../../../db/calls/room-calls';
import { deploymentId } from '../../../db/reconciliation/deployment';
import { maxTalkSeconds } from '../../../domain/agent-config';
import { assertNever } from '../../../domain/assert-never';
import type { AnsweredBy, CarrierEndReason } from '../../../domain/call-outcome';
import { effectiveConfig } from '../../../domain/effective-config';
import {
  endOfRinging,
  endOfTalk,
  isConnectionLost,
  isRemoved,
  isReplaced,
} from '../../../domain/left-reason';
import { CALLERS_ROOM } from '../../../domain/inbound-call';
import { readCarrierEvent } from '../http/event';
import type { RoomEventDependencies } from './dependencies';
import { lastHeardOf, LostPhones } from './lost-phones';
import { Pending } from './pending';
import type { RoomEvent } from './room-event';

/** For what is more exact to be reported first: the SIP status by the worker, the answer and the end by the agent. */
const COARSE_AFTER_MS = 3_000;
/** Clocks differ. What is older than the request for the call by more is of an earlier request that came to nothing. */
const OF_AN_EARLIER_REQUEST_MS = 30_000;

/** Between what LiveKit and the agent say of one and the same join. */
const SAME_JOIN_MS = 1_000;

type PersonLeft = Extract<RoomEvent, { kind: 'personLeft' }>;
type LeftAlone = Extract<RoomEvent, { kind: 'agentLeft' | 'roomClosed' }>;

export class RoomEvents {
  private readonly deployment: () => Promise<string>;
  private readonly pending: Pending;
  private readonly lostPhones: LostPhones;

  constructor(
    private readonly deps: RoomEventDependencies,
    wait: () => Promise<unknown> = () => sleep(COARSE_AFTER_MS),
  ) {
    this.deployment = deploymentId(deps.db);
    this.pending = new Pending(wait);
    this.lostPhones = new LostPhones(deps, wait);
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

  private async phoneCame(event: Extract<RoomEvent, { kind: 'phoneCame' }>): Promise<void> {
    const { room, at, fromNumber } = event;
    const call = await callOfRoom(this.deps.db, room);
    // A call that has ended: nobody would hang the phone up.
    if (call?.stage === 'over') return this.deps.rooms.delete(room);
    if (call !== undefined && isBack(call, at))
      return this.later(event, () => this.lostPhones.cameBack(room, at));
    // A caller's phone was not dialled.
    if (call?.direction !== 'Outbound' || isOfEarlierRequest(call, at)) return;
    const shown = fromNumber === undefined ? {} : { fromNumber };
    await this.deps.receive({
      type: 'dialing',
      reference: call.callId,
      carrierId: room,
      at: iso(at),
      ...shown,
    });
  }

  private async personLeft(event: PersonLeft): Promise<void> {
    const call = (await callOfRoom(this.deps.db, event.room)) ?? (await this.callOfEarlyLeaver(event));
    if (call === undefined || call.stage === 'over') return;
    if (isReplaced(event.reason)) return this.later(event, () => this.leftUnlessReplaced(event));
    // The process that hung up reports why: the agent hangs up first, and reports then.
    const isByUs = isRemoved(event.reason) || event.agentsEnd !== null || call.isHangUpAsked;
    if (call.answeredAt !== null && !isByUs && !cameBack(call, event)) return this.endAsLeft(call, event);
    this.later(event, async () => {
      const later = await callOfRoom(this.deps.db, event.room);
      if (later !== undefined && later.stage !== 'over') await this.endAsLeft(later, event);
    });
  }

  /**
   * A caller who gives up within the half second until the agent announces them has no row yet, and the agent may come too late to see them
   * at all. They are announced here: the call is put on record once, whoever announces it first, and nothing waits for its row. Those of
   * another deployment on the same LiveKit are its own to announce.
   */
  private async callOfEarlyLeaver({ room, at, joinedAt, reason, caller, deployment }: PersonLeft) {
    if (caller === null || reason !== 'CLIENT_INITIATED' || !room.startsWith(CALLERS_ROOM)) return undefined;
    if (deployment !== (await this.deployment())) return undefined;
    const rangAt = iso(joinedAt || at);
    const announced = readCarrierEvent({ type: 'inbound', carrier_id: room, ...caller, at: rangAt });
    if ('faults' in announced) return undefined;
    await this.deps.receive(announced.event);
    return callOfRoom(this.deps.db, room);
  }

  private async leftUnlessReplaced(event: PersonLeft): Promise<void> {
    if ((await this.deps.rooms.whoIsIn(event.room)).person !== null) return;
    const call = await callOfRoom(this.deps.db, event.room);
    if (call !== undefined && call.stage !== 'over') await this.endAsLeft(call, event);
  }

  private async endAsLeft(call: RoomCall, event: PersonLeft): Promise<void> {
    const { room, at, reason, joinedAt } = event;
    // A browser may have waited in its room for the line, however long.
    if (isOfEarlierRequest(call, call.medium === 'webrtc' ? at : joinedAt)) return;
    // Of a phone that was lost: its removal reached no bridge.
    if (call.strandedAt !== null && isRemoved(reason)) return;
    if (this.mayBeConnected(call, event)) return this.lostPhones.lost(call, { room, at, reason });
    if (wasAnsweredUnseen(call, event)) return this.endAsAnswered(call, event);
    const since = await this.aloneSince(call, event);
    if (since !== null) return this.lostPhones.leftInSilence(call, room, since);
    await this.end(call, { room, at, endReason: endReasonOf(call, event) });
  }

  /** Since when a phone that came back had nobody to talk to; null where its agent was with it, or ended the call. */
  private async aloneSince(call: RoomCall, event: PersonLeft): Promise<number | null> {
    if (!cameBack(call, event) || isRemoved(event.reason) || event.agentsEnd !== null) return null;
    if (call.strandedAt !== null) return call.strandedAt.getTime();
    if ((await this.deps.rooms.whoIsIn(event.room)).agent) return null;
    return lastHeardOf(call, event.at);
  }

  /** The callee picked up and hung up while LiveKit was away, or as nobody was left to report it: they are not dialled again. */
  private async endAsAnswered(call: RoomCall, event: PersonLeft): Promise<void> {
    const { room, at } = event;
    const answer = { reference: call.callId, carrierId: room, at: iso(at), answeredBy: 'unknown' } as const;
    await this.deps.receive({ ...answer, type: 'answered' });
    await this.deps.receive({ ...answer, type: 'ended', endReason: ourHangUp(call, event) ?? 'callee' });
  }

  /** The agent is gone, and no other came: whoever is there talks to nobody. */
  private async leftAlone({ room, at }: LeftAlone): Promise<void> {
    const call = await callOfRoom(this.deps.db, room);
    // Before it is placed a room may go and come again: the dial sees to it.
    if (call?.stage !== 'placed' || call.strandedAt !== null || isOfEarlierRequest(call, at)) return;
    const presence = await this.deps.rooms.whoIsIn(room);
    if (presence.agent) return;
    if (presence.person !== null) return this.lostPhones.release(call, { room, since: at, presence });
    if (call.medium === 'telephony') return this.lostPhones.missing(room, at);
    await this.end(call, { room, at, endReason: call.answeredAt === null ? 'carrier_failure' : 'dropped' });
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

  /** A phone whose connection broke may ring or be connected; where it was called, or talked. */
  private mayBeConnected({ stage, direction, answeredAt }: RoomCall, event: PersonLeft): boolean {
    if (!event.isPhone || !isConnectionLost(event.reason) || stage !== 'placed') return false;
    return direction === 'Outbound' || answeredAt !== null;
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

/** A bridge that hangs up for us leaves as one whose callee hung up. */
const ourHangUp = (call: RoomCall, { reason, agentsEnd }: PersonLeft): CarrierEndReason | null => {
  if (reason !== 'CLIENT_INITIATED') return null;
  return call.isHangUpAsked ? 'platform' : agentsEnd;
};

function endReasonOf(call: RoomCall, event: PersonLeft): CarrierEndReason {
  const { answeredAt, direction, config, modifyAgent } = call;
  const { reason, at } = event;
  if (answeredAt === null) return endOfRinging(reason, direction);
  const ours = ourHangUp(call, event);
  if (ours !== null) return ours;
  const maxTalkMs = maxTalkSeconds(effectiveConfig(config, modifyAgent)) * 1000;
  return endOfTalk(reason, { talkedMs: at - answeredAt.getTime(), maxTalkMs });
}

const wasAnsweredUnseen = (call: RoomCall, { reason, isMarkedHungUp }: PersonLeft): boolean =>
  call.answeredAt === null &&
  call.direction === 'Outbound' &&
  reason === 'CLIENT_INITIATED' &&
  isMarkedHungUp;

/** Who picked up is reported later than the answer itself. */
function answeredByOf({ answeredAt, answeredBy }: RoomCall): AnsweredBy | null {
  if (answeredBy === 'human' || answeredBy === 'machine') return answeredBy;
  return answeredAt === null ? null : 'unknown';
}

/** Its leg was in the room before: it lost its connection, or LiveKit was away. */
function isBack({ dialingAt, answeredAt, strandedAt, direction }: RoomCall, at: number): boolean {
  if (direction === 'Incoming' && answeredAt === null) return false;
  const first = Math.max(dialingAt?.getTime() ?? 0, answeredAt?.getTime() ?? 0);
  return strandedAt !== null || (first > 0 && at > first + SAME_JOIN_MS);
}

/** From a talk that LiveKit's absence broke off. */
const cameBack = (call: RoomCall, { isPhone, joinedAt }: PersonLeft): boolean =>
  isPhone && call.answeredAt !== null && isBack(call, joinedAt);

const iso = (ms: number): string => new Date(ms).toISOString();
