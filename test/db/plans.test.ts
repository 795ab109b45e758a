/** Tests how Postgres reads the lists of an organization with years of calls: by an index, and no more than a page. */
import { auditPage, type OrganizationAuditFilter } from '../../db/organizations/audit';
import { listContacts, findContacts } from '../../db/campaigns/contacts';
import { listCalls } from '../../db/calls/history';
import { openDatabase, type Db } from '../../db/kernel/connection';
import { onlyRow } from '../../db/kernel/query';
import { listDeliveries } from '../../db/webhooks/deliveries';
import { CONTACTS_CAMPAIGN, SEEDED_AGENT, SEEDED_CAMPAIGN, seedLists } from '../../verify/bench/lists/seed';
import { createOrganization } from '../../dev/demo/organization';
import { describeWith } from '../servers/availability';
import { createTestDatabase } from '../servers/database';
import { plansOf } from './support/plan-of';

const SIZES = { calls: 20_000, agents: 50, campaigns: 50, contacts: 5_000, deliveries: 5_000, audit: 20_000 };
const PAGE = { limit: 50, offset: 0 };
const NUMBER = { phoneNumber: '+919800000007' };
/** Matches a plan node, including the months of a table. */
const DELIVERIES = String.raw`webhook_deliveries(?:_2\d+_\d+|_other)?`;
const AUDIT = String.raw`audit_log(?:_2\d+_\d+|_other)?`;

describeWith('postgres', 'the first page of a list', () => {
  let db: Db;
  let organizationId: string;
  let close: () => Promise<void>;
  beforeAll(async () => {
    const { url, drop } = await createTestDatabase();
    const secretsKey = Buffer.alloc(32, 1).toString('base64');
    await createOrganization({ databaseUrl: url, secretsKey, name: 'plans', lines: 10 });
    db = openDatabase({ url, poolSize: 2, timeoutMs: 60_000, applicationName: 'test' });
    close = async () => {
      await db.destroy();
      await drop();
    };
    organizationId = (await onlyRow<{ id: string }>(db, 'select id from organizations')).id;
    await seedLists(db, organizationId, SIZES);
  }, 60_000);
  afterAll(() => close());

  test.each<[string, () => Promise<unknown>]>([
    ['calls', () => listCalls(db, { organizationId }, PAGE)],
    ['calls of an agent', () => listCalls(db, { organizationId, agentId: SEEDED_AGENT }, PAGE)],
    ['calls of a campaign', () => listCalls(db, { organizationId, campaignId: SEEDED_CAMPAIGN }, PAGE)],
    ['calls of a common status', () => listCalls(db, { organizationId, status: 'completed' }, PAGE)],
    ['contacts of a campaign', () => listContacts(db, { campaignId: CONTACTS_CAMPAIGN }, PAGE)],
    ['the audit of a common change', () => auditPage(db, { organizationId, action: 'call.dispatch' }, PAGE)],
    ['webhook deliveries', () => listDeliveries(db, { organizationId }, PAGE)],
  ])(
    'reads at most two pages of rows by index for %s, except to count a filtered list',
    async (_what, read) => {
      const plans = await plansOf(db, read);
      // The total of a filtered list is counted in an index, so its cost grows with the number of matches.
      const [totals, pages] = [plans.filter(isTotal), plans.filter((plan) => !isTotal(plan))];
      expect(pages.join('\n')).toMatch(
        new RegExp(String.raw`Index.* Scan .*on (calls|contacts|${DELIVERIES}|${AUDIT})\b`),
      );
      expect(maxRowsRead(pages.join('\n'))).toBeLessThanOrEqual(2 * PAGE.limit);
      expect(plans.join('\n')).not.toMatch(
        new RegExp(String.raw`Seq Scan on (calls|contacts|call_segments|${DELIVERIES}|${AUDIT})\b`),
      );
      for (const total of totals)
        expect(total).toMatch(/Index Only Scan .*on (calls|audit_log_\w+)\b|on (list_totals|campaigns)\b/);
    },
  );

  test.each<[string, Omit<OrganizationAuditFilter, 'organizationId'>]>([
    ['a rare change', { action: 'campaign.update' }],
    ['the operator', { actorKind: 'operator' }],
    ['a key', { actorId: 'e18e4a4f-0000-4000-8000-000000000000' }],
    ['one subject', { subjectId: SEEDED_CAMPAIGN }],
  ])('finds %s in the audit log without reading other entries', async (_what, filter) => {
    const plans = await plansOf(db, () => auditPage(db, { organizationId, ...filter }, PAGE));
    const scans = plans.flatMap((plan) => plan.split('->').filter((node) => /on audit_log_/.test(node)));
    expect(scans.length).toBeGreaterThan(0);
    expect(scans.filter((scan) => /Rows Removed by Filter/.test(scan))).toEqual([]);
  });

  test.each<[string, string, () => Promise<unknown>]>([
    [
      'number in a campaign',
      'contacts_of_number',
      () => listContacts(db, { campaignId: CONTACTS_CAMPAIGN, person: NUMBER }, PAGE),
    ],
    [
      'number in all campaigns',
      'contacts_of_number',
      () => findContacts(db, { organizationId, person: NUMBER }, PAGE),
    ],
    [
      'name in all campaigns',
      'contacts_of_name',
      () => findContacts(db, { organizationId, person: { name: 'contact 77' } }, PAGE),
    ],
  ])('finds a person by %s with the index %s', async (_what, index, read) => {
    const plans = (await plansOf(db, read)).join('\n');
    expect(plans).toMatch(new RegExp(String.raw`Scan (using|on) ${index}\b`));
    expect(plans).not.toMatch(/Seq Scan on contacts\b/);
  });

  test('counts every row that a plan with a sort reads from the table', async () => {
    const plans = await plansOf(db, async () => {
      await db.raw('select * from calls order by summary, call_id limit 50');
    });
    expect(maxRowsRead(plans.join('\n'))).toBe(SIZES.calls);
  });

  const isTotal = (plan: string): boolean => plan.startsWith('Aggregate');

  /** Returns the most rows that one scan of a large table reads over all its loops, as a sort, count or walk does. */
  const maxRowsRead = (plans: string): number =>
    Math.max(
      ...[
        ...plans.matchAll(
          new RegExp(
            String.raw`Scan .*?on (?:calls|contacts|call_segments|${DELIVERIES}|${AUDIT})\b.*?actual rows=([\d.]+) loops=(\d+)`,
            'g',
          ),
        ),
      ].map(([, read, loops]) => Number(read) * Number(loops)),
    );
});
