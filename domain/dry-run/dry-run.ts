/**
 * Simulates a campaign on a virtual clock. Applies the engine's own decisions (`nextStep`, windows, outcomes, redials, cost) to assumed
 * calls. Reimplements the rules of `db/functions/` for claims, waiting calls and refills. Assumes that processing a call takes no time.
 */
import { callCost } from '../call-cost';
import { outcomeOf } from '../call-outcome';
import { nextStep, type CampaignStep, type CampaignSurvey } from '../campaign-step';
import { redialAt } from '../redial';
import type { CampaignWindow } from '../rules/campaign-window';
import type { DialDecision } from '../rules/dialling';
import { AssumedCalls, type AssumedCall } from './assumed-calls';
import { ContactQueue, type DryContact } from './contact-queue';
import { Lines, Pacer, readyAhead, WaitingCalls } from './lines';
import { LocalRules } from './local-rules';
import { contactsIn, type DryRunPlan } from './plan';
import { PriorityQueue } from './queues';
import { Tally } from './tally';

/** Must equal the workflow's page size, because the size affects the order of waiting calls. */
const PAGE = 10;

type Happening =
  { kind: 'turn'; contact: DryContact } | { kind: 'ended'; contact: DryContact; call: AssumedCall };

interface ForeseenEvent {
  at: number;
  /** Sequence number that orders events at the same instant. */
  nth: number;
  happening: Happening;
}

const earlier = (one: ForeseenEvent, other: ForeseenEvent): boolean =>
  one.at < other.at || (one.at === other.at && one.nth < other.nth);

export class DryRun {
  readonly tally = new Tally();
  private readonly calls: AssumedCalls;
  private readonly rules: LocalRules;
  private readonly contacts: ContactQueue;
  private readonly waiting = new WaitingCalls();
  private readonly lines: Lines;
  private readonly pacer: Pacer;
  private readonly events = new PriorityQueue<ForeseenEvent>(earlier);
  private foreseen = 0;
  private now: number;
  /** When the campaign's timer fires. Null while the campaign waits for a signal. */
  private wakeAt: number | null;
  /** The end of the open window. Null while the campaign does not dial. */
  private dialUntil: number | null = null;
  private pausedAt: number | null = null;
  private finishedAt: number | null = null;

  constructor(private readonly plan: DryRunPlan) {
    this.now = plan.startsAt;
    this.wakeAt = plan.startsAt;
    this.calls = new AssumedCalls(plan);
    this.rules = new LocalRules(plan);
    this.contacts = new ContactQueue(plan.rows, plan.begun, (row) => this.rules.zoneOf(row));
    this.lines = new Lines(plan.lines);
    this.pacer = new Pacer(plan.callsPerSecond);
  }

  /** When the campaign finishes. Null if a spend limit pauses the campaign, which then waits for a person. */
  get finishesAt(): number | null {
    return this.finishedAt;
  }

  /** When a spend limit pauses the campaign. Null if this never happens. */
  get pausesAt(): number | null {
    return this.pausedAt;
  }

  get peakLines(): number {
    return this.lines.peak;
  }

  /** Processes at most `maxEvents` events. Returns true once no event is left. */
  advance(maxEvents: number): boolean {
    for (let events = 0; events < maxEvents; events++) if (!this.nextEvent()) return true;
    return false;
  }

  private nextEvent(): boolean {
    const next = this.events.peek();
    if (this.wakeAt !== null && (next === undefined || this.wakeAt <= next.at)) {
      this.now = this.wakeAt;
      this.step();
      return true;
    }
    if (next === undefined) return false;
    this.events.pop();
    this.now = next.at;
    this.happen(next.happening);
    return true;
  }

  private happen(happening: Happening): void {
    if (happening.kind === 'turn') this.startDial(happening.contact, { isItsTurn: true });
    else this.endCall(happening.contact, happening.call);
    this.grantLines();
    if (this.isRefillWanted() || !this.mayDial()) this.step();
  }

  /** Does what the campaign's workflow does when a timer fires or a signal arrives. */
  private step(): void {
    this.wakeAt = null;
    const local = this.localWindow();
    const step = nextStep(this.survey(local), this.now);
    switch (step.kind) {
      case 'feed':
        this.feed(step, local?.openZones ?? null);
        return;
      case 'rest':
        this.dialUntil = null;
        this.wakeAt = step.opensAt;
        return;
      case 'hold':
      // Cannot happen, because simulated calls are processed as they end.
      case 'drain':
        return;
      case 'withdraw':
        for (const contact of [...this.contacts.takeAll(), ...this.waiting.take(Infinity)]) {
          this.tally.expired(contact);
        }
        this.step();
        return;
      case 'finish':
        this.finishedAt = this.now;
        return;
    }
  }

  /** Like the engine, looks at the contacts that wait for a dial. */
  private localWindow(): CampaignWindow | null {
    const zonesLeft = () => [...new Set([...this.contacts.zones, ...this.waiting.zones])];
    return this.rules.windowOf(zonesLeft, this.now);
  }

  private survey(local: CampaignWindow | null): CampaignSurvey {
    const { schedule } = this.plan;
    const total = contactsIn(this.plan);
    const nextDueAt = this.contacts.nextDueAt(this.now);
    return {
      status: this.pausedAt !== null ? 'paused' : 'active',
      statusReason: null,
      schedule,
      ...(local !== null && { localWindow: local.window }),
      contactsLeft: this.contacts.size > 0,
      nextDueAt,
      waitingCalls: this.waiting.size,
      liveCalls: this.lines.live,
      // Simulated calls are processed as they end.
      unconcludedCalls: 0,
      requestedCalls: 0,
      endedContacts: total - this.contacts.size - this.waiting.size - this.lines.live,
      total,
    };
  }

  private feed(
    { closesAt, wakeAt }: Extract<CampaignStep, { kind: 'feed' }>,
    openZones: readonly string[] | null,
  ): void {
    this.dialUntil = closesAt;
    this.wakeAt = wakeAt;
    const { lines } = this.plan;
    for (let more = true; more;) {
      const wanted = lines + readyAhead(lines) - this.waiting.size - this.lines.live;
      const page = this.contacts.claim(this.now, Math.max(0, Math.min(wanted, PAGE)), openZones);
      this.waiting.register(page);
      this.grantLines();
      more = wanted > PAGE && page.length === PAGE;
    }
  }

  private grantLines(): void {
    while (this.mayDial() && this.lines.anyFree && this.waiting.size > 0) {
      for (const contact of this.waiting.take(1)) this.grantLine(contact);
    }
  }

  private mayDial(): boolean {
    return this.pausedAt === null && this.dialUntil !== null && this.now < this.dialUntil;
  }

  private grantLine(contact: DryContact): void {
    this.lines.take();
    this.startDial(contact, { isItsTurn: false });
  }

  /** Applies the checks of `start_dial` in the same order. */
  private startDial(contact: DryContact, { isItsTurn }: { isItsTurn: boolean }): void {
    if (this.isTripped()) this.pausedAt ??= this.now;
    if (!this.mayDial()) {
      this.lines.free();
      this.waiting.giveBack(contact);
      return;
    }
    const decision = this.rules.decide(contact, this.now);
    if (!decision.isAllowed) {
      this.lines.free();
      this.refuse(contact, decision);
      return;
    }
    if (!isItsTurn && this.calls.isOnDoNotDisturbList(contact)) {
      this.foresee(this.now, { kind: 'ended', contact, call: this.calls.listed });
      return;
    }
    const turn = isItsTurn ? this.now : this.pacer.turn(this.now);
    if (turn > this.now) this.foresee(turn, { kind: 'turn', contact });
    else this.dial(contact);
  }

  /** Applies the decision as `defer_dial` does. */
  private refuse(
    contact: DryContact,
    { refusedBy, nextAllowedAt }: Extract<DialDecision, { isAllowed: false }>,
  ): void {
    if (nextAllowedAt !== null) this.contacts.dialAgain(contact, nextAllowedAt);
    else if (refusedBy.includes('window')) this.tally.expired(contact);
    else this.tally.ended('invalid');
    this.wakeAt = this.now;
  }

  /** Checks the daily spend limit in the same way as `tripped_breaker`. */
  private isTripped(): boolean {
    const { spendPerDay } = this.plan;
    return spendPerDay !== null && this.tally.creditsOfDay(this.now) >= spendPerDay;
  }

  private dial(contact: DryContact): void {
    const call = this.calls.dial(contact);
    contact.attempts += 1;
    contact.dials.push(this.now);
    this.tally.dialled(this.now, call.answeredBy !== null);
    this.foresee(this.now + call.ringMs + call.talkMs, { kind: 'ended', contact, call });
  }

  private endCall(contact: DryContact, { endReason, answeredBy, talkMs }: AssumedCall): void {
    const { answered, redial, contactState } = outcomeOf(endReason, answeredBy);
    this.lines.free();
    if (answered) this.tally.charge(this.now, callCost(talkMs, this.plan.creditsPerMinute));
    const ended = { redial, attempt: contact.attempts, reportedAt: this.now, isCancelled: false };
    const dueAt = redialAt(ended, this.plan);
    if (dueAt === null) this.tally.ended(contactState);
    else this.contacts.dialAgain(contact, dueAt);
  }

  /** Applies the same rule as `ask_refill`. */
  private isRefillWanted(): boolean {
    const isLow = this.waiting.size <= Math.floor(readyAhead(this.plan.lines) / 3);
    return (isLow && this.contacts.size > 0) || this.waiting.size + this.lines.live === 0;
  }

  private foresee(at: number, happening: Happening): void {
    this.events.push({ at, nth: this.foreseen++, happening });
  }
}
