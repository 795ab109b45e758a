/**
 * Builds the evidence of a small run call by call, so that a test can change a single part. Times are seconds after the start of the run.
 */
import type {
  ApiRequest,
  CampaignRecord,
  CarrierLine,
  Evidence,
  ShiftedProcess,
} from '../../../verify/faults/checker/evidence';
import { judge, type Verdict } from '../../../verify/faults/checker/index';
import type {
  CallRow,
  CampaignRow,
  ContactRow,
  DeliveryRow,
  Rows,
} from '../../../verify/faults/checker/rows';
import { at, receivedLine, SECRET } from './received-line';

export { at } from './received-line';

export const ORGANIZATION = 'client-1';
export const CAMPAIGN = 'campaign-1';
const READ_AT_S = 1_000;

export const numberOf = (row: number): string => `+91987650${String(row).padStart(4, '0')}`;

export interface CallStory {
  fromS: number;
  toS?: number | null;
  reference?: string;
  answered?: boolean;
  endReason?: string;
  attempt?: number;
  callback?: boolean;
  campaignId?: string;
  /** Null if no webhook was sent. */
  deliveredS?: number | null;
  number?: string;
}

type AtCarrier = Required<Pick<CallStory, 'fromS' | 'toS' | 'answered' | 'endReason'>> & {
  rang?: boolean;
  answeredS?: number;
};

const asString = (value: unknown): string => JSON.stringify(value);

export class RunStory {
  readonly evidence: Evidence = {
    carrier: [],
    receiver: [],
    clock: [{ at: at(-1_000_000), process: 'simulator', offset_ms: 0 }],
    requests: [],
    faults: [],
    restarts: [],
    campaigns: [],
    organizations: [{ id: ORGANIZATION, max_concurrency: 3, secret: SECRET }],
    openWorkflows: [],
    replayFailures: [],
  };
  /** The simulator's log lines, each with the true time at which it was written. */
  carrier: { trueS: number; line: CarrierLine }[] = [];
  readonly rows: Rows = {
    read_at: at(READ_AT_S),
    campaigns: [],
    contacts: [],
    calls: [],
    deliveries: [],
    attempts: [],
  };

  campaign(
    rowNumbers: number[],
    changes: Partial<CampaignRecord> = {},
    row: Partial<CampaignRow> = {},
  ): this {
    const record: CampaignRecord = {
      id: CAMPAIGN,
      organization_id: ORGANIZATION,
      concurrency: 2,
      max_retries: 2,
      retry_delay_mins: 1,
      from_date: '2026-11-02',
      to_date: '2026-11-06',
      start_time: '04:00',
      end_time: '10:30',
      days_of_week: 'monday,tuesday',
      contacts: rowNumbers.map((each) => ({
        row: each,
        name: `Contact ${each}`,
        phone_number: numberOf(each),
      })),
      ...changes,
    };
    this.evidence.campaigns.push(record);
    this.rows.campaigns.push({
      id: record.id,
      status: 'completed',
      from_date: record.from_date,
      to_date: record.to_date,
      start_minute: minuteOf(record.start_time),
      end_minute: minuteOf(record.end_time),
      days_of_week: record.days_of_week,
      max_attempts: record.max_retries,
      retry_delay_mins: record.retry_delay_mins,
      concurrency: record.concurrency,
      campaign_name: 'A campaign',
      webhook_url: 'http://receiver/ok',
      per_call_webhook_url: 'http://receiver/ok',
      total_contacts: record.contacts.length,
      in_progress_contacts: 0,
      completed_contacts: 0,
      failed_contacts: 0,
      ended_at: at(READ_AT_S - 100),
      ...row,
    });
    for (const { row: row_number, phone_number } of record.contacts) {
      this.rows.contacts.push({
        campaign_id: record.id,
        row_number,
        phone_number,
        state: 'pending',
        reason: null,
      });
    }
    this.asked(-1, 'POST', '/api/campaigns/create', { body: { id: record.id } });
    const end = row.status === 'cancelled' ? 'cancelled' : 'completed';
    this.delivery(`end-of-${record.id}`, `campaign.${end}`, { campaign_id: record.id, atS: READ_AT_S - 99 });
    return this;
  }

  /** Adds a campaign call at the carrier and in Postgres, with its webhook. */
  call(row: number, story: CallStory): this {
    const { fromS, toS = fromS + 10, answered = true, attempt = 1 } = story;
    const campaignId = story.campaignId ?? CAMPAIGN;
    const reference = story.reference ?? `call-${row}-${attempt}`;
    const endReason = story.endReason ?? (answered ? 'agent' : 'no_answer');
    this.atCarrier(reference, story.number ?? numberOf(row), { fromS, toS, answered, endReason });
    this.callRow(reference, {
      campaign_id: campaignId,
      contact_row: row,
      is_callback: story.callback ?? false,
      end_reason: endReason,
    });
    this.settle(campaignId, row, answered ? 'completed' : 'failed', answered ? null : endReason);
    if (toS !== null && story.deliveredS !== null) {
      const event = answered
        ? 'call.completed'
        : endReason === 'no_answer'
          ? 'call.no_answer'
          : 'call.failed';
      this.delivery(`webhook-${reference}`, event, {
        call_id: reference,
        campaign_id: campaignId,
        atS: story.deliveredS ?? toS + 0.2,
      });
    }
    return this;
  }

  /** Adds a dispatched call. */
  dispatch(callId: string, fromS: number): this {
    const number = '+919812345678';
    this.asked(fromS - 1, 'POST', '/api/trigger-call/', {
      request: { contact_number: number },
      body: { success: true, output: { call_id: callId } },
    });
    this.atCarrier(callId, number, { fromS, toS: fromS + 5, answered: true, endReason: 'agent' });
    return this.callRow(callId, { campaign_id: null, contact_row: null });
  }

  atCarrier(
    reference: string,
    to: string,
    { fromS, toS, answered, endReason, rang = true, answeredS = fromS + 1 }: AtCarrier,
  ): this {
    const carrier_id = `sim-${this.carrier.length}`;
    const state = { kind: 'state', carrier_id, reference, to, end_reason: null } as const;
    this.line(fromS, { kind: 'placed', direction: 'outbound', carrier_id, reference, to });
    const request = { kind: 'request', method: 'POST', path: '/calls', status: 201 } as const;
    this.line(fromS, { ...request, reference, to, carrier_id });
    if (rang) this.line(fromS, { ...state, state: 'ringing' });
    if (answered) this.line(answeredS, { ...state, state: 'answered' });
    if (toS === null) return this;
    this.line(toS, { ...state, state: 'ended', end_reason: endReason });
    return this.line(toS, { kind: 'event', type: 'ended', carrier_id, reference, status: 200 });
  }

  /** Adds a line at a true time, with the time that the simulator's clock shows. */
  line(trueS: number, line: Omit<CarrierLine, 'at'>): this {
    const shift = this.evidence.clock
      .filter((change) => change.process === 'simulator' && Date.parse(change.at) <= Date.parse(at(trueS)))
      .at(-1);
    this.carrier.push({ trueS, line: { ...line, at: at(trueS + (shift?.offset_ms ?? 0) / 1000) } });
    return this;
  }

  /** Sets the offset of the process's clock at its start. */
  begins(process: ShiftedProcess, offsetS: number): this {
    this.evidence.clock = this.evidence.clock.filter((change) => change.process !== process);
    return this.shift(process, -1_000_000, offsetS);
  }

  /** Shifts a clock from `fromS` on. Affects only lines that are added later. */
  shift(process: ShiftedProcess, fromS: number, offsetS: number): this {
    this.evidence.clock.push({ at: at(fromS), process, offset_ms: offsetS * 1000 });
    return this;
  }

  callRow(call_id: string, changes: Partial<CallRow> = {}): this {
    const row: CallRow = {
      call_id,
      organization_id: ORGANIZATION,
      campaign_id: CAMPAIGN,
      contact_row: null,
      direction: 'Outbound',
      from_number: null,
      to_number: null,
      stage: 'over',
      call_status: 'completed',
      end_reason: 'agent',
      is_callback: false,
      hung_up: false,
      outlasted: false,
      call_cost: 0,
      ...changes,
    };
    this.rows.calls.push(row);
    return this;
  }

  settle(campaignId: string, row: number, state: string, reason: string | null = null): this {
    Object.assign(this.contact(row, campaignId), { state, reason });
    return this;
  }

  /** Adds a delivery with one accepted attempt. */
  delivery(
    id: string,
    event: string,
    { atS, ...of }: { atS: number; call_id?: string; campaign_id: string | null },
  ): this {
    const delivery: DeliveryRow = {
      id,
      event_id: `event-of-${id}`,
      organization_id: ORGANIZATION,
      call_id: null,
      event,
      body: asString({ event, event_id: `event-of-${id}` }),
      status: 'pending',
      next_attempt_at: at(atS),
      earlier_attempts: 0,
      ...of,
    };
    this.rows.deliveries.push(delivery);
    return this.attempt(id, { atS, status: 200 });
  }

  /** Adds an attempt that was sent, received and recorded. Set `received` or `recorded` to false if only one side knows the attempt. */
  attempt(
    id: string,
    {
      atS,
      status,
      received = true,
      recorded = true,
    }: { atS: number; status: number | null; received?: boolean; recorded?: boolean },
  ): this {
    const delivery = this.deliveryOf(id);
    const made = this.rows.attempts.filter(({ delivery_id }) => delivery_id === id).length;
    if (received) {
      const line = receivedLine(delivery, { atS, attempt: made + 1, status: status ?? 200 });
      this.evidence.receiver.push({ ...line, line: this.evidence.receiver.length + 1 });
    }
    if (!recorded) return this;
    this.rows.attempts.push({
      delivery_id: id,
      attempt: made + 1,
      at: at(atS),
      status_code: status,
      duration_ms: 3,
    });
    const accepted = status !== null && status < 300;
    delivery.status = accepted ? 'delivered' : made + 1 === 5 ? 'failed' : 'pending';
    return this;
  }

  /** Removes a delivery's attempts, so that a test can add its own. */
  unsent(id: string): this {
    const { event_id } = this.deliveryOf(id);
    this.rows.attempts = this.rows.attempts.filter(({ delivery_id }) => delivery_id !== id);
    this.evidence.receiver = this.evidence.receiver.filter((line) => line.event_id !== event_id);
    this.deliveryOf(id).status = 'pending';
    return this;
  }

  asked(
    sentS: number,
    method: string,
    path: string,
    {
      answeredS = sentS + 0.1,
      status = 200,
      body = null,
      request = null,
    }: Partial<Pick<ApiRequest, 'status' | 'body' | 'request'>> & { answeredS?: number } = {},
  ): this {
    const line = this.evidence.requests.length + 1;
    this.evidence.requests.push({
      sent_at: at(sentS),
      answered_at: at(answeredS),
      method,
      path,
      status,
      body,
      request,
      line,
    });
    return this;
  }

  command(
    sentS: number,
    command: 'pause' | 'resume' | 'cancel',
    answer: { answeredS?: number; status?: number | null } = {},
  ): this {
    return this.asked(sentS, 'POST', `/api/campaigns/${CAMPAIGN}/${command}`, answer);
  }

  edit(
    sentS: number,
    request: Record<string, unknown>,
    answer: { answeredS?: number; status?: number | null } = {},
  ): this {
    return this.asked(sentS, 'PUT', `/api/campaigns/${CAMPAIGN}`, { request, ...answer });
  }

  /** Adds a kill and restart of a process. `startedS` is the time of the start command, which by default is when the process is ready. */
  killed(process: string, fromS: number, readyS: number, startedS = readyS): this {
    this.evidence.restarts.push({
      process,
      killed_at: at(fromS),
      started_at: at(startedS),
      ready_at: at(readyS),
    });
    return this;
  }

  contact(row: number, campaignId = CAMPAIGN): ContactRow {
    return found(
      this.rows.contacts.find((each) => each.campaign_id === campaignId && each.row_number === row),
    );
  }
  campaignRow(): CampaignRow {
    return found(this.rows.campaigns[0]);
  }
  callOf(callId: string): CallRow {
    return found(this.rows.calls.find(({ call_id }) => call_id === callId));
  }
  deliveryOf(id: string): DeliveryRow {
    return found(this.rows.deliveries.find((each) => each.id === id));
  }

  /** Derives the campaigns' counts from their contacts. */
  counted(): this {
    for (const row of this.rows.campaigns) {
      const states = this.rows.contacts
        .filter(({ campaign_id }) => campaign_id === row.id)
        .map(({ state }) => state);
      row.completed_contacts = states.filter((state) => state === 'completed').length;
      row.in_progress_contacts = states.filter((state) => state === 'in_progress').length;
      row.failed_contacts = states.filter(
        (state) => !['completed', 'in_progress', 'pending'].includes(state),
      ).length;
    }
    return this;
  }

  verdict(): Verdict {
    const written = [...this.carrier].sort((one, other) => one.trueS - other.trueS);
    const carrier = written.map(({ line }, index) => ({ ...line, line: index + 1 }));
    return judge({ ...this.evidence, carrier }, this.rows);
  }

  /** Returns the violations by the number of their invariant. */
  violations(): Record<number, string[]> {
    const broken = this.verdict().invariants.filter(({ violations }) => violations.length > 0);
    return Object.fromEntries(broken.map(({ number, violations }) => [number, violations]));
  }
}

function found<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the story has no such thing');
  return value;
}

const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
