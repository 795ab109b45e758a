/** One campaign under test, and what must be true of it at its end whatever died meanwhile. */
import { expectedOutcome } from '../../../dev/simulator/numbers';
import type { CarrierLog } from './carrier-log';
import { eventually, eventuallyTrue } from './eventually';
import type { Answer, CampaignWish, Organisation } from './organisation';
import type { Platform } from './platform';

export interface ContactEnd {
  state: string;
  /** Calls that the carrier placed to the number. */
  placed: number;
  callStatus: string | undefined;
}

export class CampaignRun {
  readonly numbers: readonly string[];
  private readonly maxRetries: number;

  constructor(
    private readonly platform: Platform,
    readonly organisation: Organisation,
    readonly wish: CampaignWish,
    readonly id: string,
  ) {
    this.numbers = wish.numbers;
    this.maxRetries = wish.maxRetries ?? 3;
  }

  get path(): string {
    return `/api/campaigns/${this.id}`;
  }

  order(verb: 'pause' | 'resume' | 'cancel'): Promise<Answer> {
    return this.organisation.post(`${this.path}/${verb}`);
  }

  carrier(): CarrierLog {
    return this.platform.carrier(this.numbers);
  }

  async detail(): Promise<any> {
    const { status, body } = await this.organisation.get(this.path);
    if (status !== 200) throw new Error(`status ${status}`);
    return body;
  }

  async contacts(): Promise<any[]> {
    const { status, body } = await this.organisation.get(`${this.path}/contacts?page_size=200`);
    if (status !== 200) throw new Error(`status ${status}`);
    return body.data;
  }

  untilPlaced(count: number, withinMs = 20_000): Promise<void> {
    return eventuallyTrue(withinMs, `${count} calls placed`, () => this.carrier().placed.length >= count);
  }

  /** Until the campaign, every webhook of it included, is over. */
  async untilOver(status: 'completed' | 'cancelled', withinMs: number): Promise<any> {
    const ended = await eventually(withinMs, async () => {
      const detail = await this.detail();
      expect(detail.campaign_status).toBe(status);
      expect(this.platform.receiver.of(this.id, '/campaign').at(-1)?.body.event).toBe(`campaign.${status}`);
      return detail;
    });
    await eventually(withinMs, async () => {
      const { body } = await this.organisation.get(
        `/api/webhook-deliveries?campaign_id=${this.id}&status=pending`,
      );
      expect(body.pagination.total_count).toBe(0);
    });
    return ended;
  }

  /** Per number: what the simulator's script says must become of it. */
  expectedEnds(): Record<string, ContactEnd> {
    return Object.fromEntries(
      this.numbers.map((number) => {
        const { contactState: state, placed, callStatus } = expectedOutcome(number, this.maxRetries);
        return [number, { state, placed, callStatus }];
      }),
    );
  }

  /** Per number: the contact's state, and how often the carrier placed a call. */
  async ends(): Promise<Record<string, ContactEnd>> {
    const placed = this.carrier().placedPerNumber(this.numbers);
    const contacts = await this.contacts();
    return Object.fromEntries(
      contacts.map(({ phone_number: number, state, attempts }) => [
        number,
        { state, placed: placed[number] ?? 0, callStatus: attempts.at(-1)?.call_status },
      ]),
    );
  }

  /** No contact lost, none dialled twice, never more calls than lines; by the carrier's log. */
  async expectNothingLost(): Promise<void> {
    expect(await this.ends()).toEqual(this.expectedEnds());
    expect(this.carrier().duplicateReferences).toEqual([]);
    expect(this.carrier().peakLive).toBeLessThanOrEqual(this.wish.concurrency);
  }

  /** Every dialled call told once (twice only where a process died in between) and signed; the end announced once. */
  expectAllTold({ processDied = false } = {}): void {
    const told = this.platform.receiver.of(this.id, '/calls');
    expect(told.map(({ fault }) => fault).filter((fault) => fault !== null)).toEqual([]);
    const eventIds = new Map(told.map(({ body }) => [body.event_id, body.call_id]));
    // One event for each call, whoever sent it how often.
    expect([...eventIds.values()].sort()).toEqual([...this.dialledReferences()].sort());
    if (!processDied) expect(told).toHaveLength(eventIds.size);
    const ends = this.platform.receiver.of(this.id, '/campaign').map(({ body }) => body);
    const distinct = new Map(ends.map((body) => [body.event_id, body.event]));
    expect([...distinct.values()].filter((event) => event !== 'campaign.status_changed')).toHaveLength(1);
  }

  /** References that the carrier was asked for, whether or not it placed a call. */
  dialledReferences(): Set<string> {
    return new Set(this.carrier().asked.flatMap(({ reference }) => reference ?? []));
  }
}
