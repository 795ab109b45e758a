/** Runs a campaign, and checks what must be true at its end, whichever processes died. */
import { expectedOutcome } from '../../../dev/simulator/numbers';
import { hasDoneTask } from '../../../verify/histories/fetch-history';
import { workflowId } from '../../../workflows/contract';
import type { CarrierLog } from './carrier-log';
import { eventually, eventuallyTrue } from './eventually';
import type { Answer, CampaignWish, Organization } from './organization';
import type { Platform } from './platform';

export interface ContactEnd {
  state: string;
  /** Number of calls that the carrier placed. */
  placed: number;
  callStatus: string | undefined;
}

export class CampaignRun {
  numbers: readonly string[];
  private readonly maxRetries: number;

  constructor(
    private readonly platform: Platform,
    readonly organization: Organization,
    readonly wish: CampaignWish,
    readonly id: string,
  ) {
    this.numbers = wish.numbers;
    this.maxRetries = wish.maxRetries ?? 3;
  }

  get path(): string {
    return `/api/campaigns/${this.id}`;
  }

  command(verb: 'pause' | 'resume' | 'cancel'): Promise<Answer> {
    return this.organization.post(`${this.path}/${verb}`);
  }

  /** Appends contacts, whose ends are then expected too. */
  async append(numbers: readonly string[]): Promise<Answer> {
    const contacts = numbers.map((number) => ({
      external_id: number,
      name: 'Appended',
      phone_number: number,
    }));
    const answer = await this.organization.post(`${this.path}/contacts`, { contacts });
    this.numbers = [...new Set([...this.numbers, ...numbers])];
    return answer;
  }

  carrier(): CarrierLog {
    return this.platform.carrier(this.numbers);
  }

  async detail(): Promise<any> {
    const { status, body } = await this.organization.get(this.path);
    if (status !== 200) throw new Error(`status ${status}`);
    return body;
  }

  async contacts(): Promise<any[]> {
    const { status, body } = await this.organization.get(`${this.path}/contacts?page_size=200`);
    if (status !== 200) throw new Error(`status ${status}`);
    return body.data;
  }

  untilPlaced(count: number, withinMs = 20_000): Promise<void> {
    return eventuallyTrue(withinMs, `${count} calls placed`, () => this.carrier().placed.length >= count);
  }

  /** Waits until the newest run has completed a task. Temporal starts a run at least one second after the previous one. */
  untilRunning(withinMs = 20_000): Promise<void> {
    const handle = this.platform.temporal.workflow.getHandle(workflowId.campaign(this.id));
    return eventuallyTrue(withinMs, 'a task of the newest run is done', async () => {
      const { events } = await handle.fetchHistory();
      return hasDoneTask(events ?? []);
    });
  }

  /** Waits until the campaign is over and all webhooks of the campaign and its calls have arrived. */
  async untilOver(status: 'completed' | 'cancelled', withinMs: number): Promise<any> {
    return eventually(withinMs, async () => {
      const detail = await this.detail();
      expect(detail.campaign_status).toBe(status);
      expect(this.received('/campaign').map(({ event }) => event)).toContain(`campaign.${status}`);
      const received = new Set(this.received('/calls').map(({ call_id: callId }) => callId));
      expect([...this.carrier().dialled].filter((reference) => !received.has(reference))).toEqual([]);
      return detail;
    });
  }

  /** Returns the bodies received at one of the two webhook paths. */
  received(path: '/calls' | '/campaign'): any[] {
    return this.platform.receiver.of(this.id, path).map(({ body }) => body);
  }

  /** Returns the outcome that the simulator's script prescribes for each number. */
  expectedEnds(): Record<string, ContactEnd> {
    return Object.fromEntries(
      this.numbers.map((number) => {
        const outcome = expectedOutcome(number, this.maxRetries);
        const { contactState: state, placed, callbacks, callStatus } = outcome;
        return [number, { state, placed: placed + callbacks, callStatus }];
      }),
    );
  }

  /** Returns each contact's state and number of placed calls, keyed by number. */
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

  /** Checks against the carrier's log that no contact was lost or dialled twice, and that calls never exceeded the lines. */
  async expectNothingLost(): Promise<void> {
    expect(await this.ends()).toEqual(this.expectedEnds());
    expect(this.carrier().duplicateReferences).toEqual([]);
    expect(this.carrier().peakLive).toBeLessThanOrEqual(this.wish.concurrency);
  }

  /** Checks that every dialled call has one signed webhook (or two if a process died), and the campaign's end exactly one. */
  expectAllNotified({ processDied = false } = {}): void {
    const sent = [
      ...this.platform.receiver.of(this.id, '/calls'),
      ...this.platform.receiver.of(this.id, '/campaign'),
    ];
    expect(sent.filter(({ fault }) => fault !== null)).toEqual([]);
    const events = new Map(sent.map(({ body }) => [body.event_id, body]));
    if (!processDied) expect(sent).toHaveLength(events.size);
    const callIds = [...events.values()].flatMap(({ call_id: callId }) => callId ?? []);
    expect(callIds.sort()).toEqual([...this.carrier().dialled].sort());
    const ends = [...events.values()].filter(({ event }) => /^campaign\.(completed|cancelled)$/.test(event));
    expect(ends).toHaveLength(1);
  }
}
