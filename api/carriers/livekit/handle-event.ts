/**
 * Applies LiveKit's webhooks to calls. The agent reports the conversation and the worker the end of ringing, so this handles only what neither
 * can report: a person who left and an agent that died. Lost, repeated and late webhooks are harmless, because the first end wins and
 * reconciliation finds missing ones.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { callOfRoom, type RoomCall } from '../../../db/calls/room-calls';
import { deploymentId } from '../../../db/reconciliation/deployment';
import { maxTalkSeconds } from '../../../domain/agent-config';
import { assertNever } from '../../../domain/assert-never';
import type { AnsweredBy, CarrierEndReason } from '../../../domain/call-outcome';
import { effectiveConfig } from '../../../domain/effective-config';
import { CALLERS_ROOM } from '../../../domain/inbound-call';
import {
  endOfRinging,
  endOfTalk,
  isConnectionLost,
  isRemoved,
  isReplaced,
} from '../../../domain/left-reason';
import { readCarrierEvent } from '../http/event';
import { lastHeardOf, LostPhones } from './lost-phones';
import type { RoomEvent } from './routes';
import type { RoomEventDependencies } from './rooms';

/** Time for more precise reports to arrive first: the SIP status from the worker, answer and end from the agent. */
const PRECISE_REPORT_WAIT_MS = 3_000;
/** Tolerance for clock differences. An older event belongs to an earlier, failed request for the call. */
const CLOCK_TOLERANCE_MS = 30_000;

/** Tolerance between LiveKit's and the agent's times of the same join. */
const SAME_JOIN_MS = 1_000;

type PersonLeft = Extract<RoomEvent, { kind: 'personLeft' }>;
type LeftAlone = Extract<RoomEvent, { kind: 'agentLeft' | 'roomClosed' }>;

export class RoomEvents {
  private readonly deployment: () => Promise<string>;
  private readonly pending: Pending;
  private readonly lostPhones: LostPhones;

  constructor(
    private readonly deps: RoomEventDependencies,
    wait: () => Promise<unknown> = () => sleep(PRECISE_REPORT_WAIT_MS),
  ) {
    this.deployment = deploymentId(deps.db);
    this.pending = new Pending(wait);
    this.lostPhones = new LostPhones(deps, wait);
  }

  /** Resolves once the event is applied or deferred. */
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

  /** Completes deferred events first. */
  close(): Promise<void> {
    return this.pending.finish();
  }

  private async phoneCame(event: Extract<RoomEvent, { kind: 'phoneCame' }>): Promise<void> {
    const { room, at, fromNumber } = event;
    const call = await callOfRoom(this.deps.db, room);
    // The call has ended, so nothing else would hang up the phone.
    if (call?.stage === 'over') return this.deps.rooms.delete(room);
    if (call !== undefined && isBack(call, at))
      return this.later(event, () => this.lostPhones.cameBack(room, at));
    // A caller's phone wasn't dialled.
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
    // The process that hung up reports the reason. The agent hangs up before it reports.
    const isByUs = isRemoved(event.reason) || event.agentsEnd !== null || call.isHangUpRequested;
    if (call.answeredAt !== null && !isByUs && !cameBack(call, event)) return this.endAsLeft(call, event);
    this.later(event, async () => {
      const later = await callOfRoom(this.deps.db, event.room);
      if (later !== undefined && later.stage !== 'over') await this.endAsLeft(later, event);
    });
  }

  /**
   * The agent may not report a caller who hangs up within half a second. Report such callers here too; the call is still recorded only
   * once. Skip callers of another deployment on the same LiveKit.
   */
  private async callOfEarlyLeaver({ room, at, joinedAt, reason, caller, deployment }: PersonLeft) {
    if (caller === null || reason !== 'CLIENT_INITIATED' || !room.startsWith(CALLERS_ROOM)) return undefined;
    if (deployment !== (await this.deployment())) return undefined;
    const rangAt = iso(joinedAt || at);
    const reported = readCarrierEvent({ type: 'inbound', carrier_id: room, ...caller, at: rangAt });
    if ('faults' in reported) return undefined;
    await this.deps.receive(reported.event);
    return callOfRoom(this.deps.db, room);
  }

  private async leftUnlessReplaced(event: PersonLeft): Promise<void> {
    if ((await this.deps.rooms.whoIsIn(event.room)).person !== null) return;
    const call = await callOfRoom(this.deps.db, event.room);
    if (call !== undefined && call.stage !== 'over') await this.endAsLeft(call, event);
  }

  private async endAsLeft(call: RoomCall, event: PersonLeft): Promise<void> {
    const { room, at, reason, joinedAt } = event;
    // A browser may have joined long ago and waited in its room for a line.
    if (isOfEarlierRequest(call, call.medium === 'webrtc' ? at : joinedAt)) return;
    // The phone was already lost, and the request to remove it reached no bridge.
    if (call.orphanedAt !== null && isRemoved(reason)) return;
    if (this.mayBeConnected(call, event)) return this.lostPhones.lost(call, { room, at, reason });
    if (wasAnsweredUnseen(call, event)) return this.endAsAnswered(call, event);
    const since = await this.aloneSince(call, event);
    if (since !== null) return this.lostPhones.leftInSilence(call, room, since);
    await this.end(call, { room, at, endReason: endReasonOf(call, event) });
  }

  /** Returns when a phone that came back lost its agent; null if the agent was present or ended the call. */
  private async aloneSince(call: RoomCall, event: PersonLeft): Promise<number | null> {
    if (!cameBack(call, event) || isRemoved(event.reason) || event.agentsEnd !== null) return null;
    if (call.orphanedAt !== null) return call.orphanedAt.getTime();
    if ((await this.deps.rooms.whoIsIn(event.room)).agent) return null;
    return lastHeardOf(call, event.at);
  }

  /**
   * The callee answered and hung up while nothing could report it, for example during a LiveKit outage. Record the answer, so that the
   * callee isn't redialled.
   */
  private async endAsAnswered(call: RoomCall, event: PersonLeft): Promise<void> {
    const { room, at } = event;
    const answer = { reference: call.callId, carrierId: room, at: iso(at), answeredBy: 'unknown' } as const;
    await this.deps.receive({ ...answer, type: 'answered' });
    await this.deps.receive({ ...answer, type: 'ended', endReason: ourHangUp(call, event) ?? 'callee' });
  }

  /** The agent left and none replaced it, so the person is alone in the room. */
  private async leftAlone({ room, at }: LeftAlone): Promise<void> {
    const call = await callOfRoom(this.deps.db, room);
    // Before the call is placed, its room may be closed and recreated. The dial handles that.
    if (call?.stage !== 'placed' || call.orphanedAt !== null || isOfEarlierRequest(call, at)) return;
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

  /** True if the phone's connection broke after it was dialled or answered, so that it may still ring or be in a call. */
  private mayBeConnected({ stage, direction, answeredAt }: RoomCall, event: PersonLeft): boolean {
    if (!event.isPhone || !isConnectionLost(event.reason) || stage !== 'placed') return false;
    return direction === 'Outbound' || answeredAt !== null;
  }

  private later({ kind }: RoomEvent, work: () => Promise<void>): void {
    this.pending.later(async () => {
      try {
        await work();
      } catch (error) {
        // Reconciliation will check the call.
        const name = error instanceof Error ? error.name : 'unknown';
        this.deps.log.warn({ event: kind, error: name }, 'LiveKit event could not be applied');
      }
    });
  }
}

function isOfEarlierRequest({ requestedAt }: RoomCall, at: number): boolean {
  return requestedAt !== null && at + CLOCK_TOLERANCE_MS < requestedAt.getTime();
}

/** A SIP bridge reports our own hang-up in the same way as the callee's. */
const ourHangUp = (call: RoomCall, { reason, agentsEnd }: PersonLeft): CarrierEndReason | null => {
  if (reason !== 'CLIENT_INITIATED') return null;
  return call.isHangUpRequested ? 'platform' : agentsEnd;
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

/** Answering machine detection finishes after the answer is reported. */
function answeredByOf({ answeredAt, answeredBy }: RoomCall): AnsweredBy | null {
  if (answeredBy === 'human' || answeredBy === 'machine') return answeredBy;
  return answeredAt === null ? null : 'unknown';
}

/** True if the phone has been in the room before. It lost its connection, or LiveKit was down. */
function isBack({ dialingAt, answeredAt, orphanedAt, direction }: RoomCall, at: number): boolean {
  if (direction === 'Incoming' && answeredAt === null) return false;
  const first = Math.max(dialingAt?.getTime() ?? 0, answeredAt?.getTime() ?? 0);
  return orphanedAt !== null || (first > 0 && at > first + SAME_JOIN_MS);
}

/** True if the phone left after it came back to an answered call. */
const cameBack = (call: RoomCall, { isPhone, joinedAt }: PersonLeft): boolean =>
  isPhone && call.answeredAt !== null && isBack(call, joinedAt);

const iso = (ms: number): string => new Date(ms).toISOString();

/** Runs work after a delay. */
class Pending {
  private readonly waiting = new Set<Promise<void>>();

  constructor(private readonly wait: () => Promise<unknown>) {}

  /** `work` must handle its own errors. */
  later(work: () => Promise<void>): void {
    const done = this.wait().then(work);
    this.waiting.add(done);
    void done.finally(() => this.waiting.delete(done));
  }

  /** Waits for all deferred work, because no other process would do it. */
  async finish(): Promise<void> {
    while (this.waiting.size > 0) await Promise.all(this.waiting);
  }
}
