/** Tests that the cost of a search depends only on the rows of its own organization, even beside a much larger one. */
import { type SoughtPerson, findContacts } from '../../db/campaigns/contacts';
import { searchCalls } from '../../db/calls/history';
import { onlyRow } from '../../db/kernel/query';
import { describeWith } from '../servers/availability';
import { plansOf } from './support/plan-of';
import { EngineDatabase, type Owner } from './support/engine-database';

const PAGE = { limit: 50, offset: 0 };
const OURS = 200;
const THEIRS = 20_000;

describeWith('postgres', 'a search beside an organization a hundred times as large', () => {
  let engine: EngineDatabase;
  let ours: Owner;
  let theirs: Owner;
  beforeAll(async () => {
    engine = await EngineDatabase.open(1);
    ours = await engine.owner();
    theirs = await engine.owner();
    await spoken(ours, OURS, 'The clinic has a zebra.');
    await spoken(theirs, THEIRS, 'The clinic has a giraffe.');
    await people(ours, OURS);
    await people(theirs, THEIRS);
    await engine.db.raw('vacuum analyze');
  }, 60_000);
  afterAll(() => engine.close());

  /** Inserts words as write_words does. */
  const spoken = ({ organizationId, agentId }: Owner, calls: number, text: string) =>
    engine.db.raw(
      `insert into call_words (call_id, organization_id, agent_id, final_status, accepted_at, words)
       select :organizationId || '-' || n, :organizationId, :agentId, 'completed', now() - make_interval(secs => n), array_to_tsvector(words_of(:text))
       from generate_series(1, :calls::integer) n`,
      { organizationId, agentId, calls, text },
    );

  const people = async (owner: Owner, contacts: number) => {
    const campaignId = await engine.campaign(owner, { contacts: 1 });
    await engine.db.raw(
      `insert into contacts (campaign_id, row_number, name, phone_number, variables)
       select :campaignId, 10 + n, 'Asha Rao ' || n, '+9170000' || lpad(n::text, 5, '0'), '{}' from generate_series(1, :contacts::integer) n`,
      { campaignId, contacts },
    );
  };

  /** Counts the pages that the statement read, without those for planning it. */
  async function pagesRead(search: string): Promise<{ total: number; pages: number }> {
    const ran: { sql: string; bindings: string[] }[] = [];
    engine.db.once('query', (query) => ran.push(query));
    const { total } = await searchCalls(engine.db, { organizationId: ours.organizationId, search }, PAGE);
    const [{ sql, bindings } = { sql: '', bindings: [] }] = ran;
    const client = await engine.db.client.acquireConnection();
    const plan = await client
      .query(`explain (analyze, buffers, costs off, timing off) ${sql}`, bindings)
      .finally(() => engine.db.client.releaseConnection(client));
    const lines: string[] = plan.rows.map((row: Record<string, string>) => row['QUERY PLAN']);
    const [, hit, , read] = /shared hit=(\d+)( read=(\d+))?/.exec(lines.join('\n')) ?? [];
    return { total, pages: Number(hit) + Number(read ?? 0) };
  }

  test.each([
    ['a word of ours alone', 'zebra', OURS],
    ['a word of the other organization alone', 'giraffe', 0],
    ['a word of both', 'clinic', OURS],
  ])("reads only pages of the organization's own calls for %s", async (_what, search, total) => {
    const { relpages } = await onlyRow<{ relpages: number }>(
      engine.db,
      `select relpages from pg_class where relname = 'call_words'`,
    );
    const found = await pagesRead(search);
    expect(found.total).toBe(total);
    expect(found.pages).toBeLessThan(60);
    expect(relpages).toBeGreaterThan(300);
  });

  test.each<[string, SoughtPerson]>([
    ['contacts_of_name', { name: 'ASHA rao 1' }],
    [String.raw`contacts_of_(name|number)`, { name: 'a' }],
    ['contacts_of_name', { name: 'nobody is called this' }],
    ['contacts_of_number', { phoneNumber: '+917000000007' }],
  ])("finds the organization's own people with the index %s: %j", async (index, person) => {
    const search = () => findContacts(engine.db, { organizationId: ours.organizationId, person }, PAGE);
    const { items, total } = await search();
    expect(items.every(({ name }) => /^(Asha Rao|Contact)/.test(name))).toBe(true);
    expect(total).toBeLessThanOrEqual(OURS);
    const plan = (await plansOf(engine.db, search)).join('\n');
    expect(plan).toMatch(new RegExp(`${index}\\b[^]*Index Cond: \\(\\(?organization_id = `));
    expect(plan).not.toMatch(/Seq Scan on contacts/);
    const read = [...plan.matchAll(/on contacts c .*?actual rows=([\d.]+)/g)].map(([, rows]) => Number(rows));
    expect(Math.max(...read)).toBeLessThanOrEqual(OURS);
  });
});
