/** What is known of a conversation while it goes on, and waiting for it to change. */
import { assertNever } from '../../workflows/domain/assert-never';
import { isAudible } from '../sound/pcm';
import type { AnsweredBy } from '../../workflows/domain/call-outcome';
import type { Guest, RoomNews } from './room-port';

export interface Facts {
  /** The other side, since it joined; null before. */
  guest: Guest | null;
  /** Instants in milliseconds since the epoch; null for what has not happened. */
  joinedAt: number | null;
  ringingAt: number | null;
  answeredAt: number | null;
  /** Null while nobody has found out. */
  answeredBy: AnsweredBy | null;
  left: { at: number; reason: string } | null;
  hasSpoken: boolean;
  /** Nothing was heard for as long as the agent waits. */
  isSilent: boolean;
  isTalkOver: boolean;
  /** The agent has said what it had to say. */
  isDone: boolean;
  /** We have said that we are ready. */
  isReady: boolean;
  /** Another agent holds the conversation. */
  isSurplus: boolean;
  /** We are not in the room any more. */
  closed: string | null;
  /** The process is told to end. */
  isStopping: boolean;
}

const NOTHING: Facts = {
  guest: null,
  joinedAt: null,
  ringingAt: null,
  answeredAt: null,
  answeredBy: null,
  left: null,
  hasSpoken: false,
  isSilent: false,
  isTalkOver: false,
  isDone: false,
  isReady: false,
  isSurplus: false,
  closed: null,
  isStopping: false,
};

export class Situation {
  private facts: Facts = { ...NOTHING };
  private readonly lookers = new Set<(facts: Readonly<Facts>) => void>();

  get now(): Readonly<Facts> {
    return this.facts;
  }

  change(facts: Partial<Facts>): void {
    this.facts = { ...this.facts, ...facts };
    for (const look of [...this.lookers]) look(this.facts);
  }

  /** Called now, and with every change. */
  watch(look: (facts: Readonly<Facts>) => void): void {
    this.lookers.add(look);
    look(this.facts);
  }

  /** False when the limit passed before it held. */
  async until(holds: (facts: Readonly<Facts>) => boolean, limitMs: number): Promise<boolean> {
    if (holds(this.facts)) return true;
    return new Promise((resolve) => {
      const look = (): void => {
        if (holds(this.facts)) settle(true);
      };
      const settle = (result: boolean): void => {
        clearTimeout(timer);
        this.lookers.delete(look);
        resolve(result);
      };
      const timer = setTimeout(() => settle(false), limitMs).unref();
      this.lookers.add(look);
    });
  }
}

export const isPhone = ({ isSip, identity }: Guest): boolean => isSip || identity === 'callee';

/** Whom the conversation is with; captions, recorders and watchers are in rooms too. */
export const isOtherSide = (guest: Guest): boolean => isPhone(guest) || guest.identity === 'web-user';

/** LiveKit's `sip.callStatus` of a call that was picked up; the second while digits are dialled for it. */
const PICKED_UP: readonly (string | undefined)[] = ['active', 'automation'];

/** The same person is in the room again, from another window or over another connection. */
const COMES_BACK: readonly string[] = ['DUPLICATE_IDENTITY', 'MIGRATION'];

/** What the news change; null for nothing. Somebody in a browser has answered by coming; a phone says so by its status. */
export function afterNews(
  facts: Readonly<Facts>,
  news: RoomNews,
  { now, identity }: { now: number; identity: string },
): Partial<Facts> | null {
  if (news.kind === 'closed') return facts.closed === null ? { closed: news.reason } : null;
  if (news.kind === 'guest' && news.guest.isAgent) return afterAgent(facts, news.guest, identity);
  if (!isOtherSide(news.guest)) return null;
  switch (news.kind) {
    case 'left':
      if (COMES_BACK.includes(news.reason)) return null;
      return facts.left === null ? { left: { at: now, reason: news.reason } } : null;
    case 'heard':
      return facts.hasSpoken || facts.answeredAt === null || !isAudible(news.samples)
        ? null
        : { hasSpoken: true };
    case 'typed':
      return facts.hasSpoken || facts.answeredAt === null ? null : { hasSpoken: true };
    case 'guest':
      return afterSeeing(facts, news.guest, now);
    default:
      return assertNever(news);
  }
}

/**
 * A job that was slow may come to a room that another was sent to meanwhile. Whoever is ready first stays; of two at once, the one whose
 * identity comes first.
 */
function afterAgent(facts: Readonly<Facts>, agent: Guest, identity: string): Partial<Facts> | null {
  if (agent.attributes['platform.ready'] !== 'true') return null;
  const comesFirst = facts.answeredAt === null && agent.identity < identity;
  return !facts.isReady || comesFirst ? { isSurplus: true } : null;
}

function afterSeeing(facts: Readonly<Facts>, guest: Guest, now: number): Partial<Facts> {
  const status = guest.attributes['sip.callStatus'];
  const isAnswered = !isPhone(guest) || PICKED_UP.includes(status);
  return {
    guest,
    joinedAt: facts.joinedAt ?? now,
    ringingAt: facts.ringingAt ?? (status === 'ringing' ? now : null),
    answeredAt: facts.answeredAt ?? (isAnswered ? now : null),
  };
}

/** Nobody is there to talk to any more, or we are not. */
export const isCutOff = ({ left, closed, isStopping, isSurplus }: Readonly<Facts>): boolean =>
  left !== null || closed !== null || isStopping || isSurplus;
