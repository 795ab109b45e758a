/** What is known of a running conversation, and waiting for it to change. */
import { assertNever } from '../../../domain/assert-never';
import type { AnsweredBy } from '../../../domain/call-outcome';
import { isRemoved, isReplaced, leftReasonOf, type LeftReason } from '../../../domain/left-reason';
import { isAudible } from '../../audio/pcm';
import type { Participant, RoomEvent } from './room-port';

export interface SessionFacts {
  /** The remote party, once it has joined; null before. */
  participant: Participant | null;
  /** Instants in milliseconds since the epoch; null for what has not happened. */
  joinedAt: number | null;
  ringingAt: number | null;
  answeredAt: number | null;
  /** Null until it is detected. */
  answeredBy: AnsweredBy | null;
  left: { at: number; reason: string } | null;
  hasSpoken: boolean;
  /** The silence limit has passed. */
  isSilent: boolean;
  /** A packet of the remote party's audio has arrived, silence included. */
  hasSentAudio: boolean;
  /** None has arrived since the answer of its phone, which is far too long ago. */
  isWithoutAudio: boolean;
  isMaxTalkReached: boolean;
  /** The agent has finished the conversation. */
  isFinished: boolean;
  /** We have published that we are ready. */
  isReady: boolean;
  /** Another agent conducts the conversation. */
  isDuplicateAgent: boolean;
  /** Set when we are no longer in the room. */
  closedReason: string | null;
  /** When our connection to the room was lost, where it was; null too when we were removed or the room was deleted. */
  connectionLostAt: number | null;
  /** The process was asked to stop. */
  isStopping: boolean;
}

const INITIAL: SessionFacts = {
  participant: null,
  joinedAt: null,
  ringingAt: null,
  answeredAt: null,
  answeredBy: null,
  left: null,
  hasSpoken: false,
  isSilent: false,
  hasSentAudio: false,
  isWithoutAudio: false,
  isMaxTalkReached: false,
  isFinished: false,
  isReady: false,
  isDuplicateAgent: false,
  closedReason: null,
  connectionLostAt: null,
  isStopping: false,
};

export class SessionState {
  private facts: SessionFacts = { ...INITIAL };
  private readonly listeners = new Set<(facts: Readonly<SessionFacts>) => void>();

  get current(): Readonly<SessionFacts> {
    return this.facts;
  }

  update(facts: Partial<SessionFacts>): void {
    this.facts = { ...this.facts, ...facts };
    for (const listener of [...this.listeners]) listener(this.facts);
  }

  /** Called now, and with every change. */
  subscribe(listener: (facts: Readonly<SessionFacts>) => void): void {
    this.listeners.add(listener);
    listener(this.facts);
  }

  /** False when the limit passed before the condition held. */
  async waitUntil(holds: (facts: Readonly<SessionFacts>) => boolean, limitMs: number): Promise<boolean> {
    if (holds(this.facts)) return true;
    return new Promise((resolve) => {
      const listener = (): void => {
        if (holds(this.facts)) settle(true);
      };
      const settle = (result: boolean): void => {
        clearTimeout(timer);
        this.listeners.delete(listener);
        resolve(result);
      };
      const timer = setTimeout(() => settle(false), limitMs).unref();
      this.listeners.add(listener);
    });
  }
}

export const isPhone = ({ isSip, identity }: Participant): boolean => isSip || identity === 'callee';

/** The participant that the conversation is with; captions, recorders and watchers join rooms too. */
export const isRemoteParty = (participant: Participant): boolean =>
  isPhone(participant) || participant.identity === 'web-user';

/** LiveKit's `sip.callStatus` of an answered call; the second while digits are dialled for it. */
const PICKED_UP: readonly (string | undefined)[] = ['active', 'automation'];

/** Somebody meant it, or another connection of ours took over. */
const isTakenAway = (left: LeftReason): boolean =>
  isRemoved(left) || left === 'CLIENT_INITIATED' || left === 'DUPLICATE_IDENTITY';

/** What the event changes; null for nothing. A browser has answered by joining; a phone answers by its status. */
export function changesFrom(
  facts: Readonly<SessionFacts>,
  event: RoomEvent,
  { now, identity }: { now: number; identity: string },
): Partial<SessionFacts> | null {
  if (event.kind === 'closed') {
    if (facts.closedReason !== null) return null;
    const isLost = !isTakenAway(leftReasonOf(event.reason));
    return { closedReason: event.reason, connectionLostAt: isLost ? (event.lostAt ?? now) : null };
  }
  if (event.kind === 'participant' && event.participant.isAgent)
    return changesFromAgent(facts, event.participant, identity);
  if (!isRemoteParty(event.participant)) return null;
  switch (event.kind) {
    case 'left':
      if (isReplaced(leftReasonOf(event.reason))) return null;
      return facts.left === null ? { left: { at: now, reason: event.reason } } : null;
    case 'audio':
      return facts.hasSpoken || facts.answeredAt === null || !isAudible(event.samples)
        ? null
        : { hasSpoken: true };
    case 'text':
      return facts.hasSpoken || facts.answeredAt === null ? null : { hasSpoken: true };
    case 'participant':
      return changesFromParticipant(facts, event.participant, now);
    default:
      return assertNever(event);
  }
}

/**
 * A slow job may join a room that was given to another agent meanwhile. The first that is ready stays; of two at once, the one whose
 * identity sorts first.
 */
function changesFromAgent(
  facts: Readonly<SessionFacts>,
  agent: Participant,
  identity: string,
): Partial<SessionFacts> | null {
  if (agent.attributes['platform.ready'] !== 'true') return null;
  const comesFirst = facts.answeredAt === null && agent.identity < identity;
  return !facts.isReady || comesFirst ? { isDuplicateAgent: true } : null;
}

function changesFromParticipant(
  facts: Readonly<SessionFacts>,
  participant: Participant,
  now: number,
): Partial<SessionFacts> {
  const status = participant.attributes['sip.callStatus'];
  const isAnswered = !isPhone(participant) || PICKED_UP.includes(status);
  return {
    participant,
    joinedAt: facts.joinedAt ?? now,
    ringingAt: facts.ringingAt ?? (status === 'ringing' ? now : null),
    answeredAt: facts.answeredAt ?? (isAnswered ? now : null),
  };
}

/** Nobody is left to talk to, or we are not in the room. */
export const isDisconnected = ({
  left,
  closedReason,
  isStopping,
  isDuplicateAgent,
}: Readonly<SessionFacts>): boolean =>
  left !== null || closedReason !== null || isStopping || isDuplicateAgent;
