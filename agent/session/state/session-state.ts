/** The facts of a running conversation. Other modules can wait for them to change. */
import { assertNever } from '../../../domain/assert-never';
import type { AnsweredBy } from '../../../domain/call-outcome';
import { isRemoved, isReplaced, leftReasonOf, type LeftReason } from '../../../domain/left-reason';
import { withTimeout } from '../../../runtime/network/time-limit';
import { isAudible } from '../../audio/pcm';
import type { Participant, RoomEvent } from './room-port';

/** LiveKit's values of `sip.callStatus` for an answered call. `automation` means that LiveKit is dialling digits in it. */
const PICKED_UP: readonly (string | undefined)[] = ['active', 'automation'];

export interface SessionFacts {
  /** The callee, caller or browser user that the agent talks to. Null until they have joined. */
  participant: Participant | null;
  /** Milliseconds since the epoch. Null for events that have not happened. */
  joinedAt: number | null;
  ringingAt: number | null;
  answeredAt: number | null;
  /** Null until it is detected. */
  answeredBy: AnsweredBy | null;
  left: { at: number; reason: string } | null;
  hasSpoken: boolean;
  /** True when the silence limit has passed. */
  isSilent: boolean;
  /** True once any audio packet of the user has arrived, including silence. */
  hasSentAudio: boolean;
  /** True when no audio has arrived long after the phone was answered. */
  isWithoutAudio: boolean;
  isMaxTalkReached: boolean;
  /** True when the agent has finished the conversation. */
  isFinished: boolean;
  /** True once this agent has published that it is ready. */
  isReady: boolean;
  /** True when another agent runs the conversation. */
  isDuplicateAgent: boolean;
  /** Set when the agent is no longer in the room. */
  closedReason: string | null;
  /** When the connection to the room was lost. Null if it was not lost, or if the agent was removed or the room deleted. */
  connectionLostAt: number | null;
  /** True when the process must stop. */
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

  /** Calls the listener immediately and after every change. */
  subscribe(listener: (facts: Readonly<SessionFacts>) => void): void {
    this.listeners.add(listener);
    listener(this.facts);
  }

  /** Returns false when the time limit passes first. */
  async waitUntil(holds: (facts: Readonly<SessionFacts>) => boolean, limitMs: number): Promise<boolean> {
    if (holds(this.facts)) return true;
    let listener: () => void = () => undefined;
    const met = new Promise<boolean>((resolve) => {
      listener = () => {
        if (holds(this.facts)) resolve(true);
      };
      this.listeners.add(listener);
    });
    return withTimeout(limitMs, met, () => false).finally(() => this.listeners.delete(listener));
  }
}

export const isPhone = ({ isSip, identity }: Participant): boolean => isSip || identity === 'callee';

/** True for the participant that the agent talks to. Captions, recorders and watchers can be in the room too. */
export const isUser = (participant: Participant): boolean =>
  isPhone(participant) || participant.identity === 'web-user';

/** The agent left on purpose, was removed, or was replaced by another connection with the same identity. */
const isEvicted = (left: LeftReason): boolean =>
  isRemoved(left) || left === 'CLIENT_INITIATED' || left === 'DUPLICATE_IDENTITY';

/**
 * Returns the changes that an event causes, or null if there are none. A browser user has answered on joining; a phone reports its answer
 * by its status.
 */
export function changesFrom(
  facts: Readonly<SessionFacts>,
  event: RoomEvent,
  { now, identity }: { now: number; identity: string },
): Partial<SessionFacts> | null {
  if (event.kind === 'closed') {
    if (facts.closedReason !== null) return null;
    const isLost = !isEvicted(leftReasonOf(event.reason));
    return { closedReason: event.reason, connectionLostAt: isLost ? (event.lostAt ?? now) : null };
  }
  if (event.kind === 'participant' && event.participant.isAgent)
    return changesFromAgent(facts, event.participant, identity);
  if (!isUser(event.participant)) return null;
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
 * A slow job can join a room that another agent already serves. The agent that was ready first stays or, if both were ready at the same
 * time, the one whose identity sorts first.
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

/** True when the user has left, or when the agent is leaving or has left the room. */
export const isDisconnected = ({
  left,
  closedReason,
  isStopping,
  isDuplicateAgent,
}: Readonly<SessionFacts>): boolean =>
  left !== null || closedReason !== null || isStopping || isDuplicateAgent;
