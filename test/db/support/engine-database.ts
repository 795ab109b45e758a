/** Test database whose engine functions use a clock that the test controls. */
import { randomUUID } from 'node:crypto';
import { NO_GUARDS, NO_NUMBERS } from '../../servers/no-guards';
import { insertAgent } from '../../../db/agents/agents';
import * as calls from '../../../db/calls/engine';
import { endCall } from '../../../db/calls/ends';
import { surveyCampaign } from '../../../db/campaigns/engine';
import { insertCampaign, type NewCampaign } from '../../../db/campaigns/campaigns';
import { insertOrganization } from '../../../db/organizations/organizations';
import { openDatabase, type Db } from '../../../db/kernel/connection';
import {
  insertDispatchedCall,
  insertDispatchedSession,
  outboundCallId,
} from '../../../db/calls/dispatched-calls';
import { onlyRow, rows } from '../../../db/kernel/query';
import { callEndOf, type EndFacts } from '../../../domain/call-end';
import type { EndReason } from '../../../domain/call-outcome';
import { campaignDraft } from './campaign-draft';
import { dispatchedRow, sessionRow } from './dispatched-row';
import { createTestDatabase } from '../../servers/database';

/** From the dial of a placed call to its deadline, with the longest ring and talk times. */
export const DEADLINE_MS = (30 + 3_600 + 40) * 1_000;
/** A Monday. */
export const START = Date.parse('2026-11-02T05:00:00.000Z');
export const MINUTE_MS = 60_000;

export interface Owner {
  organizationId: string;
  agentId: string;
}

export interface CampaignOptions extends Partial<Omit<NewCampaign, 'contacts'>> {
  contacts?: number;
  /** Number of rows that are duplicates of the first one. */
  duplicates?: number;
}

export interface ContactRow {
  id: number;
  row: number;
  state: string;
  reason: string | null;
  attempts: number;
  nextAttemptAt: Date | null;
  callId: string | null;
}

export class EngineDatabase {
  now = START;
  private readonly campaigns = new Map<string, number>();

  private constructor(
    public db: Db,
    readonly url: string,
    private readonly drop: () => Promise<void>,
  ) {}

  static async open(poolSize = 10): Promise<EngineDatabase> {
    const { url, drop } = await createTestDatabase();
    const db = openDatabase({ url, poolSize, timeoutMs: 20_000, applicationName: 'test' });
    return new EngineDatabase(db, url, drop);
  }

  /** Uses a database that the test closes itself. */
  static over(db: Db, url: string): EngineDatabase {
    return new EngineDatabase(db, url, () => Promise.resolve());
  }

  async close(): Promise<void> {
    await this.db.destroy();
    await this.drop();
  }

  /** Runs the work in an open transaction. */
  async within<T>(transaction: Db, work: () => Promise<T>): Promise<T> {
    const outside = this.db;
    this.db = transaction;
    try {
      return await work();
    } finally {
      this.db = outside;
    }
  }

  /** Resolves when a statement in this database waits for a row that another transaction has locked. */
  async untilBlocked(): Promise<void> {
    const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    while ((await rows(this.db, waiting)).length === 0) await new Promise(setImmediate);
  }

  /** Creates an organization with an agent, at the start time. */
  async owner(maxConcurrency = 10): Promise<Owner> {
    this.now = START;
    const { id: organizationId } = await insertOrganization(this.db, { name: 'A client', maxConcurrency });
    const agent = await insertAgent(this.db, {
      organizationId,
      displayName: 'An agent',
      nthName: (n) => `agent-${n}`,
      status: 'running',
      config: { persona: { identity: { system_prompt: 'Talk.' } } },
      ...NO_NUMBERS,
      actor: { kind: 'operator', id: 'test', requestId: null },
      now: this.now,
    });
    if (agent.kind !== 'inserted') throw new Error('the agent was not inserted');
    return { organizationId, agentId: agent.id };
  }

  async campaign(owner: Owner, options: CampaignOptions = {}): Promise<string> {
    const { contacts = 3, duplicates = 0, ...fields } = options;
    // Campaigns of one owner have different contacts, because a number can have only one live call.
    const nth = this.campaigns.get(owner.organizationId) ?? 0;
    this.campaigns.set(owner.organizationId, nth + 1);
    const draft = campaignDraft({
      ...owner,
      now: this.now,
      ...fields,
      contacts: Array.from({ length: contacts + duplicates }, (_none, index) => ({
        row: index + 2,
        name: `Contact ${index + 2}`,
        phoneNumber: `+91${98765 + nth}${String(index).padStart(5, '0')}`,
        variables: { city: 'Pune' },
        duplicateOf: index < contacts ? null : 2,
      })),
    });
    const { id } = await insertCampaign(this.db, draft);
    return id;
  }

  /** Gives the campaign's contacts these numbers, in the order of their rows. */
  async setNumbers(campaignId: string, numbers: readonly string[]): Promise<void> {
    for (const [index, phone_number] of numbers.entries())
      await this.db('contacts')
        .where({ campaign_id: campaignId, row_number: index + 2 })
        .update({ phone_number });
  }

  /** Runs the first step of each round of a campaign's workflow. */
  survey(campaignId: string) {
    return surveyCampaign(this.db, campaignId, { now: this.now, checkAt: this.now + MINUTE_MS });
  }

  /** Creates a dispatched call. With `queued`, also registers it for a line. */
  async dispatch(
    owner: Owner,
    { queued = true, toNumber }: { queued?: boolean; toNumber?: string } = {},
  ): Promise<string> {
    const callId = outboundCallId(this.now);
    const row = dispatchedRow(owner, callId, this.now);
    await insertDispatchedCall(this.db, { ...row, ...(toNumber !== undefined && { toNumber }) });
    if (queued) await this.register(owner, [callId]);
    return callId;
  }

  /** Creates a browser session that waits for its line. */
  async openSession(owner: Owner): Promise<string> {
    const callId = `room_${randomUUID()}`;
    await insertDispatchedSession(this.db, sessionRow(owner, callId, this.now));
    await this.register(owner, [callId]);
    return callId;
  }

  claim(campaignId: string, { dialUntil = this.now + 60 * MINUTE_MS, limit = 1_000 } = {}) {
    return calls.claimPage(this.db, campaignId, {
      now: this.now,
      dialUntil,
      limit,
    });
  }

  register(owner: Owner, callIds: string[]) {
    return calls.registerWaiting(this.db, owner.organizationId, callIds, this.now);
  }

  /** Claims a page and registers it, like the campaign's workflow. Returns the calls that got a line. */
  async feed(owner: Owner, campaignId: string): Promise<{ claimed: string[]; granted: string[] }> {
    const page = await this.claim(campaignId);
    const claimed = page.claimed.map(({ callId }) => callId);
    const { granted } = await this.register(owner, claimed);
    return { claimed, granted: [...page.granted, ...granted] };
  }

  begin(callId: string, guards: Partial<calls.DialGuards> = {}) {
    return calls.startDial(this.db, callId, {
      now: this.now,
      notAfter: this.now + 3_000,
      guards: { ...NO_GUARDS, ...guards },
    });
  }

  place(callId: string): Promise<calls.DialTimes | undefined> {
    return calls.recordPlaced(
      this.db,
      callId,
      { carrierId: `sim-${callId}`, from: null, deadlineAt: this.now + DEADLINE_MS },
      this.now,
    );
  }

  async dial(callId: string): Promise<void> {
    const start = await this.begin(callId);
    if (start.kind !== 'ask') throw new Error(`the call may not be dialled: ${start.kind}`);
    await this.place(callId);
  }

  end(callId: string, endReason: EndReason, facts: Partial<EndFacts> = {}) {
    const end = callEndOf({ endedAt: new Date(this.now).toISOString(), ...facts, endReason }, 2);
    return endCall(this.db, callId, end, this.now);
  }

  /** Marks finished calls as concluded, like their workflows. */
  async conclude(campaignId: string): Promise<void> {
    await this.db('calls')
      .where({ campaign_id: campaignId, stage: 'over' })
      .update({ concluded_at: new Date(this.now) });
  }

  returnLine(callId: string) {
    return calls.returnLine(this.db, callId, this.now);
  }

  async stageOf(callId: string): Promise<string> {
    return (await this.call(callId)).stage;
  }

  call(callId: string): Promise<Record<string, any>> {
    return onlyRow(this.db, 'select * from calls where call_id = :callId', { callId });
  }

  async stages(callIds: string[]): Promise<string[]> {
    const stages = await rows<{ call_id: string; stage: string }>(
      this.db,
      'select call_id, stage from calls where call_id = any(:callIds)',
      { callIds },
    );
    return callIds.map((callId) => stages.find(({ call_id }) => call_id === callId)?.stage ?? 'none');
  }

  contacts(campaignId: string): Promise<ContactRow[]> {
    return rows<ContactRow>(
      this.db,
      `select id, row_number as "row", state, reason, attempts, next_attempt_at as "nextAttemptAt", call_id as "callId"
       from contacts where campaign_id = :campaignId order by row_number`,
      { campaignId },
    );
  }

  campaignRow(campaignId: string): Promise<Record<string, any>> {
    return onlyRow(this.db, 'select * from campaigns where id = :campaignId', { campaignId });
  }

  async sums(campaignId: string) {
    const row = await this.campaignRow(campaignId);
    return {
      inProgress: row.in_progress_contacts as number,
      completed: row.completed_contacts as number,
      failed: row.failed_contacts as number,
    };
  }

  async set(campaignId: string, columns: Record<string, unknown>): Promise<void> {
    await this.db('campaigns').where({ id: campaignId }).update(columns);
  }

  async linesOf(owner: Owner): Promise<string[]> {
    const found = await rows<{ id: string }>(
      this.db,
      'select call_id as id from lines where organization_id = :organizationId order by call_id',
      { organizationId: owner.organizationId },
    );
    return found.map(({ id }) => id);
  }
}
