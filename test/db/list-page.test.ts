import { randomUUID } from 'node:crypto';
import { allAgents, listAgents, storeVersion } from '../../db/agents/agents';
import { listCalls, type CallFilter } from '../../db/calls/history';
import { listCampaigns } from '../../db/campaigns/campaigns';
import { listContacts } from '../../db/campaigns/contacts';
import { listDeliveries } from '../../db/webhooks/deliveries';
import { PageTooFar, within, type Listed, type Page } from '../../db/kernel/list-page';
import { timestamp } from '../../db/kernel/query';
import { describeWith } from '../servers/availability';
import { EngineDatabase, MINUTE_MS, START, type Owner } from './support/engine-database';

describe('within()', () => {
  test('returns the rows of every page of lists of any length', () => {
    for (let total = 0; total <= 25; total++) {
      const list = Array.from({ length: total }, (_none, index) => index);
      for (let limit = 1; limit <= 8; limit++) {
        for (let offset = 0; offset <= total + limit; offset++) {
          const page = within({ limit, offset }, total);
          const items = page === null ? [] : list.slice(page.offset, page.offset + page.limit);
          expect(items).toEqual(list.slice(offset, offset + limit));
        }
      }
    }
  });

  test('returns null for a page past the end of the list', () => {
    expect(within({ limit: 50, offset: 1000 }, 1000)).toBeNull();
    expect(within({ limit: 50, offset: Number.MAX_SAFE_INTEGER }, 9_999)).toBeNull();
  });

  test('rejects a page that starts after 10,000 rows of a longer list', () => {
    expect(within({ limit: 50, offset: 9_999 }, 400_000)).toEqual({ limit: 50, offset: 9_999 });
    expect(() => within({ limit: 50, offset: 10_000 }, 400_000)).toThrow(PageTooFar);
    expect(() => within({ limit: 1, offset: 399_999 }, 400_000)).toThrow(PageTooFar);
  });
});

type ReadPage = (page: Page) => Promise<Listed<unknown>>;

/** Reads page by page. The last page requests more rows than are left. */
async function allPages(read: ReadPage, limit: number): Promise<unknown[]> {
  const items: unknown[] = [];
  const { total } = await read({ limit, offset: 0 });
  for (let offset = 0; offset < total + limit; offset += limit) {
    const page = await read({ limit, offset });
    expect(page.total).toBe(total);
    items.push(...page.items);
  }
  return items;
}

async function expectSamePages(read: ReadPage): Promise<void> {
  const whole = await read({ limit: 1000, offset: 0 });
  expect(whole.items).toHaveLength(whole.total);
  for (const limit of [1, 2, 3, 7, 50]) expect(await allPages(read, limit)).toEqual(whole.items);
}

describeWith('postgres', 'lists', () => {
  let engine: EngineDatabase;
  let owner: Owner;
  let campaigns: string[];
  beforeAll(async () => {
    engine = await EngineDatabase.open();
    owner = await engine.owner();
    campaigns = [];
    for (let n = 0; n < 5; n++) {
      campaigns.push(await engine.campaign(owner, { contacts: 4 + n, duplicates: 1 }));
      if (n % 2 === 0) engine.now += MINUTE_MS;
    }
    const stranger = await engine.owner();
    await engine.campaign(stranger);
    await insertCalls(stranger, []);
    engine.now = START;
    await insertCalls(owner, campaigns);
  });
  afterAll(() => engine.close());

  const STATUSES = ['completed', 'busy', 'ringing', 'error', 'queued'];

  /** Creates calls, some at the same instant. */
  async function insertCalls({ organizationId, agentId }: Owner, ofCampaigns: string[]): Promise<void> {
    const calls = Array.from({ length: 23 }, (_none, n) => {
      const callStatus = STATUSES[n % STATUSES.length];
      return {
        call_id: `call-${randomUUID()}`,
        organization_id: organizationId,
        agent_id: agentId,
        agent_version: 1,
        campaign_id: ofCampaigns[n % (ofCampaigns.length + 1)] ?? null,
        call_type: 'Outbound',
        direction: 'Outbound',
        stage: callStatus === 'ringing' ? 'placed' : callStatus === 'queued' ? 'claimed' : 'over',
        call_status: callStatus,
        accepted_at: timestamp(START + Math.floor(n / 3) * MINUTE_MS),
      };
    });
    await engine.db('calls').insert(calls);
    await engine.db('webhook_deliveries').insert(
      calls.map(({ call_id, campaign_id, accepted_at }, n) => ({
        id: randomUUID(),
        event_id: randomUUID(),
        organization_id: organizationId,
        campaign_id,
        call_id,
        event: 'call.completed',
        url: 'https://hooks.example.test/',
        body: '{}',
        status: n % 4 === 0 ? 'failed' : 'delivered',
        created_at: accepted_at,
      })),
    );
  }

  const calls =
    (filter: Partial<CallFilter> = {}): ReadPage =>
    (page) =>
      listCalls(engine.db, { organizationId: owner.organizationId, ...filter }, page);

  test('returns the same calls on pages of any size, newest first', async () => {
    await expectSamePages(calls());
    const { items } = await listCalls(
      engine.db,
      { organizationId: owner.organizationId },
      { limit: 100, offset: 0 },
    );
    const keys = items.map(({ acceptedAt, callId }) => `${acceptedAt.toISOString()} ${callId}`);
    expect(keys).toHaveLength(23);
    expect(keys).toEqual(keys.toSorted().toReversed());
  });

  test.each(STATUSES)('returns exactly the calls that are %s', async (status) => {
    await expectSamePages(calls({ status }));
    const { items, total } = await listCalls(
      engine.db,
      { organizationId: owner.organizationId, status },
      { limit: 100, offset: 0 },
    );
    expect(items.map(({ callStatus }) => callStatus)).toEqual(Array(total).fill(status));
    expect(total).toBe([0, 5, 10, 15, 20].filter((n) => n + STATUSES.indexOf(status) < 23).length);
  });

  test('filters calls by agent, campaign, time, and all of them together', async () => {
    const filters: Partial<CallFilter> = {
      agentId: owner.agentId,
      campaignId: campaigns[1] ?? '',
      from: timestamp(START + MINUTE_MS),
      to: timestamp(START + 6 * MINUTE_MS),
    };
    const totalOf = async (filter: Partial<CallFilter>) =>
      (await calls(filter)({ limit: 100, offset: 0 })).total;
    for (const [name, value] of Object.entries(filters)) await expectSamePages(calls({ [name]: value }));
    await expectSamePages(calls(filters));
    expect(await totalOf({ agentId: filters.agentId ?? '' })).toBe(23);
    expect(await totalOf({ campaignId: filters.campaignId ?? '' })).toBe(4);
    expect(await totalOf({ from: filters.from ?? '', to: filters.to ?? '' })).toBe(15);
    expect(await totalOf(filters)).toBe(2);
    expect(await totalOf({ status: 'no such status' })).toBe(0);
  });

  test('returns the same campaigns, contacts, deliveries and agents on pages of any size', async () => {
    const { organizationId } = owner;
    await expectSamePages((page) => listCampaigns(engine.db, { organizationId }, page));
    await expectSamePages((page) => listCampaigns(engine.db, { organizationId, status: 'active' }, page));
    await expectSamePages((page) => listContacts(engine.db, { campaignId: campaigns[2] ?? '' }, page));
    await expectSamePages((page) =>
      listContacts(engine.db, { campaignId: campaigns[2] ?? '', state: 'pending' }, page),
    );
    await expectSamePages((page) => listDeliveries(engine.db, { organizationId }, page));
    await expectSamePages((page) => listDeliveries(engine.db, { organizationId, status: 'failed' }, page));
    await expectSamePages((page) =>
      listDeliveries(engine.db, { organizationId, campaignId: campaigns[0] ?? '' }, page),
    );
    await expectSamePages((page) => listAgents(engine.db, { organizationId, publishedOnly: false }, page));
  });

  test('returns contacts in the order of the file', async () => {
    const { items } = await listContacts(
      engine.db,
      { campaignId: campaigns[4] ?? '' },
      { limit: 3, offset: 6 },
    );
    expect(items.map(({ row }) => row)).toEqual([8, 9, 10]);
  });

  test('returns empty lists for an organization without rows and for an unknown campaign', async () => {
    const organizationId = randomUUID();
    const page = { limit: 10, offset: 0 };
    const empty = { items: [], total: 0 };
    expect(await listCalls(engine.db, { organizationId }, page)).toEqual(empty);
    expect(await listCampaigns(engine.db, { organizationId }, page)).toEqual(empty);
    expect(await listAgents(engine.db, { organizationId, publishedOnly: true }, page)).toEqual(empty);
    expect(await listContacts(engine.db, { campaignId: randomUUID() }, page)).toEqual(empty);
  });

  test('shows only the deployment section of agents, and no archived agent', async () => {
    const { organizationId, agentId } = await engine.owner();
    const filter = { organizationId, publishedOnly: false };
    const deployment = { phone: { call_type: { Outbound: ['+911140000000'] } } };
    await storeVersion(engine.db, { agentId, config: { deployment }, status: 'running', now: START });
    const [listed] = await allAgents(engine.db, filter);
    expect(listed).toMatchObject({ id: agentId, deploymentConfig: deployment });
    expect(listed).not.toHaveProperty('config');
    await engine.db('agents').where({ id: agentId }).update({ archived: true });
    expect(await allAgents(engine.db, filter)).toEqual([]);
    expect(await listAgents(engine.db, filter, { limit: 10, offset: 0 })).toEqual({ items: [], total: 0 });
  });

  test('finds agents by name in any case and spelling', async () => {
    const { organizationId, agentId } = await engine.owner();
    const found = async (name: string, search: string) => {
      await engine.db('agents').where({ id: agentId }).update({ display_name: name });
      const filter = { organizationId, publishedOnly: true, search };
      return (await listAgents(engine.db, filter, { limit: 10, offset: 0 })).total;
    };
    expect(await found('ÉVALUATION Ёлка', 'évaluation ёл')).toBe(1);
    expect(await found('évaluation'.normalize('NFD'), 'Évaluation')).toBe(1);
    expect(await found('Sean’s desk', "sean's")).toBe(1);
    expect(await found('Evaluation', 'évaluation')).toBe(0);
  });

  test('treats wildcards in a search as plain characters', async () => {
    const { organizationId, agentId } = await engine.owner();
    await engine.db('agents').where({ id: agentId }).update({ display_name: '100% a_b' });
    const found = async (search: string) =>
      (await listAgents(engine.db, { organizationId, publishedOnly: true, search }, { limit: 10, offset: 0 }))
        .total;
    expect(await found('0% A')).toBe(1);
    expect(await found('1%b')).toBe(0);
    expect(await found('a?b')).toBe(0);
    expect(await found('a_b')).toBe(1);
    expect(await found('_a')).toBe(0);
    expect(await found('\\')).toBe(0);
  });
});
