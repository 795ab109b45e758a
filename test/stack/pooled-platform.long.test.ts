/** Runs API and worker behind a PgBouncer in transaction mode, with fewer server connections than their pools could open. */
import { RETENTION_SCHEDULE_ID } from '../../workflows/contract';
import { describeWith } from '../servers/availability';
import { databaseUsers } from '../servers/pgbouncer';
import { eventually, eventuallyTrue } from './support/eventually';
import { freshNumbers } from './support/numbers';
import type { Organization } from './support/organization';
import { Platform, START_WITHIN_MS } from './support/platform';

const LENT_CONNECTIONS = 4;
/** Endings of numbers that answer, hang up, don't answer or are busy. The last two kinds are redialled. */
const KINDS = [0, 1, 70, 80, 85, 2, 71, 81] as const;
const CAMPAIGN_WITHIN_MS = 60_000;
const CALL_WITHIN_MS = 30_000;
const OUR_NUMBER = '+918040000077';
const TWO_DAYS_MS = 2 * 86_400_000;

describeWith('pgbouncer', 'a whole platform behind a PgBouncer in transaction mode', () => {
  let platform: Platform;
  let organization: Organization;
  beforeAll(async () => {
    platform = await Platform.open({ lentConnections: LENT_CONNECTIONS });
    organization = await platform.newOrganization();
  }, START_WITHIN_MS);
  afterAll(() => platform.close());

  test(
    'runs a campaign with its redials and webhooks, without losing a contact or dialling one twice',
    async () => {
      const run = await platform.campaign(
        { numbers: freshNumbers(KINDS), concurrency: KINDS.length },
        organization,
      );
      await run.untilOver('completed', CAMPAIGN_WITHIN_MS);
      await run.expectNothingLost();
      run.expectAllNotified();
      expect(run.carrier().placed.length).toBeGreaterThan(KINDS.length);
    },
    CAMPAIGN_WITHIN_MS + CALL_WITHIN_MS,
  );

  test(
    'answers a caller and stores the transcript',
    async () => {
      const deployment = { phone: { call_type: { Inbound: OUR_NUMBER } } };
      await organization.patch(`/api/agent/${organization.agentId}/deployment`, { deployment });
      const [from = ''] = freshNumbers([3]);
      await eventually(CALL_WITHIN_MS, async () =>
        expect(await platform.ring(OUR_NUMBER, from)).toMatchObject({ status: 201 }),
      );
      const callId = await eventually(CALL_WITHIN_MS, async () => {
        const { body } = await organization.get('/api/call-history');
        const call = body.data.find(({ from_number }: { from_number: string }) => from_number === from);
        expect(call).toMatchObject({ call_status: 'completed', post_processing_status: 'completed' });
        return call.call_id;
      });
      const { body } = await organization.get(`/api/call_details/${callId}`);
      expect(body.transcription).toContain('your check-up');
    },
    2 * CALL_WITHIN_MS,
  );

  test(
    'deletes expired data on schedule',
    async () => {
      await platform.db('organizations').update({ contacts_days: 1 });
      await platform.db('calls').update({ ended_at: new Date(Date.now() - TWO_DAYS_MS) });
      await platform.temporal.schedule.getHandle(RETENTION_SCHEDULE_ID).trigger();
      await eventuallyTrue(CALL_WITHIN_MS, 'the numbers of all callees are deleted', async () => {
        const callees = await platform.db('calls').where({ direction: 'Outgoing' }).pluck('to_number');
        return callees.every((number) => number === null);
      });
    },
    2 * CALL_WITHIN_MS,
  );

  test('connects directly to Postgres only to receive notifications', async () => {
    const { direct, pooled, lentConnections } = await databaseUsers(platform.db);
    expect(direct).toEqual(['api captions', expect.stringMatching(/^worker dials \w+$/)]);
    expect(pooled.filter((name) => !['api', 'worker'].includes(name))).toEqual([]);
    expect(pooled.length).toBeGreaterThan(0);
    expect(lentConnections).toBeLessThanOrEqual(LENT_CONNECTIONS);
  });
});
