import { randomUUID } from 'node:crypto';
import { setEngineStatus, withdrawRest } from '../../db/campaigns/engine';
import { withdrawCampaign } from '../../db/campaigns/campaigns';
import { applyProgress } from '../../db/calls/events';
import type { Db } from '../../db/kernel/connection';
import { errorCode } from '../../db/kernel/error-code';
import {
  insertDispatchedCall,
  outboundCallId,
  withdrawDispatchedCall,
} from '../../db/calls/dispatched-calls';
import { addDndNumbers } from '../../db/calls/do-not-disturb';
import { archiveAgent } from '../../db/agents/changes';
import { keepConversations } from '../../db/agents/conversations';
import { takeContactFiles } from '../../db/organizations/erasing';
import { keptOf } from '../../db/organizations/quotas';
import { markContactsErased } from '../../db/organizations/retention';
import { keptTotal, type KeptList } from '../../db/kernel/list-page';
import { onlyRow, rows, timestamp } from '../../db/kernel/query';
import { describeWith } from '../servers/availability';
import { dispatchedRow } from './support/dispatched-row';
import { EngineDatabase, START, type Owner } from './support/engine-database';
import { Random } from './support/random';

/** Compares every part of every list with its stored total, in one statement so that both are from the same instant. */
const DIFFERENCES = `
with counted as (
  select organization_id, 'calls' as list, '' as part, count(*) as n from calls group by organization_id
  union all select organization_id, 'webhook_deliveries', to_char(instant_of_id(id) at time zone 'UTC', 'YYYY_MM'), count(*)
    from webhook_deliveries group by 1, 3
  union all select organization_id, 'campaigns', status, count(*) from campaigns group by organization_id, status
  union all select organization_id, 'agents', case when published then 'published' else 'unpublished' end, count(*)
    from agents where not archived group by organization_id, published
  union all select organization_id, 'dnd_numbers', '', count(*) from dnd_numbers group by organization_id
  union all select organization_id, 'contacts', '', sum(total_contacts) from campaigns where contacts_erased_at is null group by organization_id having sum(total_contacts) <> 0
  union all select organization_id, 'contact_file_bytes', '', sum(contact_file_bytes) from campaigns where contact_file_key is not null group by organization_id having sum(contact_file_bytes) <> 0
  union all select a.organization_id, 'agent_bytes', '', sum(octet_length(k.kept::text)) from agents a join (
    select agent_id, config as kept from agent_configs union all select agent_id, conversations from agent_conversations) k on k.agent_id = a.id group by 1
), kept as (
  select organization_id, list, part, sum(total) as n from list_totals group by organization_id, list, part having sum(total) <> 0
)
select list || ' ' || part || ': kept ' || coalesce(kept.n, 0) || ', counted ' || coalesce(counted.n, 0) as difference
from counted full join kept using (organization_id, list, part) where counted.n is distinct from kept.n`;

const differences = async (db: Db): Promise<string[]> =>
  (await rows<{ difference: string }>(db, DIFFERENCES)).map(({ difference }) => difference);

class RolledBack extends Error {}

const DEADLOCK = '40P01';

/** Writes to the lists like one of several workers, in transactions that make several changes. */
class Writer {
  private readonly dispatched: string[] = [];
  private readonly campaigns: string[] = [];

  constructor(
    private readonly engine: EngineDatabase,
    private readonly owners: Owner[],
    private readonly random: Random,
  ) {}

  async run(transactions: number): Promise<void> {
    for (let n = 0; n < transactions; n++) {
      const kept = this.engine.db.transaction(async (trx) => {
        for (let step = this.random.below(4); step >= 0; step--) await this.step(trx);
        if (this.random.below(4) === 0) throw new RolledBack();
      });
      // Unlike the product, two writers can lock organizations in different orders, and Postgres then rolls one back.
      await kept.catch((error: unknown) => {
        if (!(error instanceof RolledBack) && errorCode(error) !== DEADLOCK) throw error;
      });
    }
  }

  private owner(): Owner {
    const owner = this.random.pick(this.owners);
    if (owner === undefined) throw new Error('no owner');
    return owner;
  }

  private async step(trx: Db): Promise<unknown> {
    switch (this.random.below(9)) {
      case 0:
      case 1:
        return this.dispatch(trx);
      case 2:
        return withdrawDispatchedCall(trx, this.random.pick(this.dispatched) ?? 'none');
      case 3:
        // Inserts rows of several organizations in one statement.
        return trx('calls').insert([...this.owners, ...this.owners].map((owner) => callRow(owner)));
      case 4:
        return this.addCampaign(trx);
      case 5:
        return withdrawCampaign(trx, this.random.pick(this.campaigns) ?? randomUUID(), START);
      case 6:
        return setEngineStatus(trx, this.random.pick(this.campaigns) ?? randomUUID(), 'scheduled', {
          isStillDue: () => true,
          reason: 'early',
          now: START,
        });
      case 7:
        return trx('webhook_deliveries').insert([deliveryRow(this.owner()), deliveryRow(this.owner())]);
      default:
        return this.changeAgent(trx);
    }
  }

  private async dispatch(trx: Db): Promise<void> {
    const callId = outboundCallId(START);
    await insertDispatchedCall(trx, dispatchedRow(this.owner(), callId, START));
    this.dispatched.push(callId);
  }

  private async addCampaign(trx: Db): Promise<void> {
    const { organizationId, agentId } = this.owner();
    const id = randomUUID();
    await trx('campaigns').insert(campaignRow(id, organizationId, agentId));
    this.campaigns.push(id);
  }

  private async changeAgent(trx: Db): Promise<void> {
    const { organizationId } = this.owner();
    const id = randomUUID();
    await trx('agents').insert(agentRow(id, organizationId));
    const change = this.random.pick([{ archived: true }, { published: false }, { display_name: 'Other' }]);
    await trx('agents')
      .where({ id })
      .update({ ...change });
  }
}

const callRow = ({ organizationId, agentId }: Owner) => ({
  call_id: `call-${randomUUID()}`,
  organization_id: organizationId,
  agent_id: agentId,
  agent_version: 1,
  call_type: 'Outbound',
  direction: 'Outbound',
  accepted_at: timestamp(START),
});

const deliveryRow = ({ organizationId }: Owner) => ({
  id: randomUUID(),
  event_id: randomUUID(),
  organization_id: organizationId,
  event: 'call.completed',
  url: 'https://hooks.example.test/',
  body: '{}',
  created_at: timestamp(START),
});

const agentRow = (id: string, organizationId: string) => ({
  id,
  organization_id: organizationId,
  agent_name: id,
  display_name: 'An agent',
  status: 'running',
  last_edited_at: timestamp(START),
});

const campaignRow = (id: string, organizationId: string, agentId: string) => ({
  id,
  organization_id: organizationId,
  agent_id: agentId,
  campaign_name: 'A campaign',
  status: 'active',
  reported_status: 'active',
  contact_source_type: 'csv',
  contact_file_key: `${id}.csv`,
  contact_file_bytes: 100,
  days_of_week: 'monday',
  start_minute: 240,
  end_minute: 630,
  from_date: '2026-11-02',
  to_date: '2026-11-06',
  max_attempts: 1,
  retry_delay_mins: 30,
  concurrency: 2,
  total_contacts: 3,
  created_at: timestamp(START),
  updated_at: timestamp(START),
  check_at: timestamp(START),
});

/** Counts this connection's updates since the last report. `inPlace` counts those that left the indexes unchanged. */
const updatesOfCalls = (trx: Db) =>
  onlyRow<{ all: number; inPlace: number }>(
    trx,
    `select n_tup_upd as "all", n_tup_hot_upd as "inPlace" from pg_stat_xact_user_tables where relname = 'calls'`,
  );

const LISTS: KeptList[] = ['agents', 'calls', 'campaigns', 'webhook_deliveries'];

describeWith('postgres', 'totals of lists', () => {
  let engine: EngineDatabase;
  beforeEach(async () => {
    engine = await EngineDatabase.open(12);
  });
  afterEach(() => engine.close());

  const totalOf = (owner: Owner, list: KeptList, part?: string) =>
    keptTotal(engine.db, owner.organizationId, list, part);

  test.each([1, 2, 3])(
    'keeps totals equal to the rows at every instant while many transactions change them (seed %d)',
    async (seed) => {
      const owners = [await engine.owner(), await engine.owner()];
      // A version's first call locks its row until the end of the transaction, and these transactions dispatch several versions in any
      // order.
      for (const owner of owners) await engine.dispatch(owner);
      const writers = Array.from(
        { length: 8 },
        (_none, n) => new Writer(engine, owners, new Random(seed * 100 + n)),
      );
      const work = { done: false };
      const watch = async () => {
        let looks = 0;
        for (; !work.done; looks++) expect(await differences(engine.db)).toEqual([]);
        return looks;
      };
      const watching = watch();
      await Promise.all(writers.map((writer) => writer.run(40))).finally(() => (work.done = true));
      expect(await watching).toBeGreaterThan(5);
      expect(await differences(engine.db)).toEqual([]);
      for (const list of LISTS) expect(await totalOf(owners[0]!, list)).toBeGreaterThan(0);
    },
    60_000,
  );

  test("keeps totals correct for the engine's changes: claims, withdrawn dispatches and campaigns, ended calls", async () => {
    const owner = await engine.owner();
    const campaignId = await engine.campaign(owner, { contacts: 6 });
    const taken = await engine.campaign(owner, { contacts: 2 });
    await engine.feed(owner, campaignId);
    const [kept, gone] = [
      await engine.dispatch(owner),
      await engine.dispatch(owner, { queued: false }),
    ] as const;
    expect(await withdrawDispatchedCall(engine.db, gone)).toBe(true);
    expect(await withdrawDispatchedCall(engine.db, kept)).toBe(false);
    expect(await withdrawCampaign(engine.db, taken, START)).toBe(true);
    expect(await totalOf(owner, 'calls')).toBe(7);
    expect(await totalOf(owner, 'campaigns', 'active')).toBe(1);
    const cancelled = {
      contactState: 'cancelled',
      callStatus: 'cancelled',
      endReason: 'cancelled',
    } as const;
    await engine.set(campaignId, { status: 'cancelled' });
    await withdrawRest(engine.db, campaignId, cancelled, engine.now);
    expect(await totalOf(owner, 'calls')).toBe(7);
    expect(await totalOf(owner, 'campaigns', 'active')).toBe(0);
    expect(await totalOf(owner, 'campaigns')).toBe(1);
    expect(await differences(engine.db)).toEqual([]);
  });

  test('keeps totals correct for retention, erasure, and changes of agents and the do-not-disturb list', async () => {
    const owner = await engine.owner();
    const campaignId = await engine.campaign(owner, { contacts: 6 });
    const kept = () => keptOf(engine.db, owner.organizationId);
    const before = await kept();
    expect(before).toMatchObject({ campaigns: 1, contacts: 6, contact_file_bytes: 100, dnd_numbers: 0 });
    expect(before.agent_bytes).toBeGreaterThan(0);
    await addDndNumbers(engine.db, {
      organizationId: owner.organizationId,
      numbers: ['+919876543210'],
      source: 'a',
      now: START,
    });
    await keepConversations(engine.db, {
      ...owner,
      conversations: [{ title: 'A talk', variables: {}, turns: [] }],
      actor: { kind: 'operator', id: 'test', requestId: null },
      now: START,
    });
    expect((await kept()).agent_bytes).toBeGreaterThan(before.agent_bytes);
    expect(await differences(engine.db)).toEqual([]);
    await engine.db.transaction((trx) => takeContactFiles(trx, [campaignId]));
    await engine.set(campaignId, { completed_contacts: engine.db.ref('total_contacts') });
    await markContactsErased(engine.db, campaignId, START);
    await archiveAgent(engine.db, {
      ...owner,
      actor: { kind: 'operator', id: 'test', requestId: null },
      now: START,
    });
    expect(await kept()).toEqual({
      ...{ ...before, contacts: 0, contact_file_bytes: 0 },
      ...{ agents: 0, dnd_numbers: 1, agent_bytes: before.agent_bytes },
    });
    expect(await differences(engine.db)).toEqual([]);
  });

  test('changes totals together with the rows, and reverts them in a rollback', async () => {
    const owner = await engine.owner();
    await engine.db
      .transaction(async (trx) => {
        await trx('calls').insert([callRow(owner), callRow(owner)]);
        expect(await keptTotal(trx, owner.organizationId, 'calls')).toBe(2);
        expect(await totalOf(owner, 'calls')).toBe(0);
        throw new RolledBack();
      })
      .catch((error: unknown) => expect(error).toBeInstanceOf(RolledBack));
    expect(await totalOf(owner, 'calls')).toBe(0);
  });

  test("doesn't make a transaction wait for another open one that changes the same totals", async () => {
    const owner = await engine.owner();
    // Creates one slot per list, which both transactions could take.
    await engine.dispatch(owner);
    await engine.campaign(owner);
    await engine.db('webhook_deliveries').insert(deliveryRow(owner));
    await engine.db.transaction(async (open) => {
      await open('calls').insert(callRow(owner));
      await open('campaigns').insert(campaignRow(randomUUID(), owner.organizationId, owner.agentId));
      // Each of these would wait forever for a lock of the first transaction, which ends after them.
      await engine.dispatch(owner);
      await engine.campaign(owner);
      await engine.db.transaction(async (other) => {
        await other('webhook_deliveries').insert(deliveryRow(owner));
        await open('webhook_deliveries').insert(deliveryRow(owner));
        await other('calls').insert(callRow(owner));
      });
    });
    expect(await totalOf(owner, 'calls')).toBe(4);
    expect(await totalOf(owner, 'campaigns')).toBe(3);
    expect(await totalOf(owner, 'webhook_deliveries')).toBe(3);
  });

  test('uses one slot for consecutive changes', async () => {
    const owner = await engine.owner();
    for (let n = 0; n < 20; n++) await engine.dispatch(owner, { queued: false });
    const { slots } = await onlyRow<{ slots: number }>(
      engine.db,
      `select count(*) as slots from list_totals where organization_id = :organizationId and list = 'calls'`,
      { organizationId: owner.organizationId },
    );
    expect(slots).toBe(1);
  });

  test('resets the totals when a table is truncated', async () => {
    const owner = await engine.owner();
    await engine.dispatch(owner);
    await rows(engine.db, 'truncate calls cascade');
    expect(await totalOf(owner, 'calls')).toBe(0);
    await engine.dispatch(owner);
    expect(await totalOf(owner, 'calls')).toBe(1);
  });

  test('changes no total and no index when a call rings or is answered', async () => {
    const owner = await engine.owner();
    const callId = await engine.dispatch(owner);
    await engine.dial(callId);
    const at = timestamp(START);
    await engine.db.transaction(async (trx) => {
      const before = await updatesOfCalls(trx);
      for (const type of ['ringing', 'answered'] as const) {
        const event = { reference: callId, carrierId: 'sim', type, at };
        await applyProgress(trx, [event], { now: START, creditsPerMinute: 1 });
      }
      const { all, inPlace } = await updatesOfCalls(trx);
      expect(all - before.all).toBe(2);
      expect(inPlace - before.inPlace).toBe(2);
    });
  });
});
