import type { AnsweredBy, EndReason } from '../call-outcome';
import type { DryContact } from './contact-queue';
import type { DryRunPlan } from './plan';

export interface AssumedCall {
  endReason: EndReason;
  /** Null if the call is not answered. */
  answeredBy: AnsweredBy | null;
  ringMs: number;
  talkMs: number;
}

/** Decides how calls end, based on the assumptions. */
export class AssumedCalls {
  /** A call that is not dialled because its number is on a do-not-disturb list. */
  readonly listed: AssumedCall = { endReason: 'dnd', answeredBy: null, ringMs: 0, talkMs: 0 };
  private readonly listings: EvenShare;
  /** Indexed by attempt, so that first dials and redials have separate shares. */
  private readonly answers: EvenShare[];
  private readonly answered: AssumedCall;
  private readonly unanswered: AssumedCall;

  constructor({ assumptions, maxTalkMs, maxAttempts }: DryRunPlan) {
    const { ringMs, talkMs } = assumptions;
    this.listings = new EvenShare(assumptions.dndRate);
    this.answers = Array.from(
      { length: maxAttempts },
      (_none, index) => new EvenShare(index === 0 ? assumptions.answerRate : assumptions.redialAnswerRate),
    );
    this.answered = {
      endReason: talkMs > maxTalkMs ? 'max_talk' : 'agent',
      answeredBy: 'human',
      ringMs,
      talkMs: Math.min(talkMs, maxTalkMs),
    };
    this.unanswered = { endReason: 'no_answer', answeredBy: null, ringMs, talkMs: 0 };
  }

  /** Remembers the answer, because a contact can get a line more than once before its first dial. */
  isOnDoNotDisturbList(contact: DryContact): boolean {
    contact.isListed ??= this.listings.next();
    return contact.isListed;
  }

  dial({ attempts }: DryContact): AssumedCall {
    return this.answers[attempts]?.next() === true ? this.answered : this.unanswered;
  }
}

/** Corrects rates such as 0.29 that are not exact in binary. Without this correction, 29 of 100 would become 28. */
const ROUNDING = 1e-9;

/**
 * Returns true for an evenly spread share of calls. Not random, so that a forecast is repeatable and 60 % of 10 contacts are exactly 6.
 */
class EvenShare {
  private asked = 0;
  private agreed = 0;

  constructor(private readonly share: number) {}

  next(): boolean {
    this.asked += 1;
    if (this.agreed >= Math.floor(this.asked * this.share + 0.5 + ROUNDING)) return false;
    this.agreed += 1;
    return true;
  }
}
