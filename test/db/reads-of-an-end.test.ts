/** Tests that the end of a call reads only calls of its own organization, even if Postgres planned with outdated statistics. */
import { claimPage, registerWaiting } from '../../db/calls/engine';
import { endCall } from '../../db/calls/ends';
import { openDatabase, type Db } from '../../db/kernel/connection';
import { onlyRow } from '../../db/kernel/query';
import { seedEnds, type SeededCampaign } from '../../verify/bench/seed-ends';
import { callEndOf } from '../../domain/call-end';
import { describeWith } from '../servers/availability';
import { createTestDatabase } from '../servers/database';

const ORGANIZATIONS = 60;
/** Each organization has two calls with a line and four waiting calls. */
const SEED = {
  organizations: ORGANIZATIONS,
  linesEach: 2,
  contacts: 20 * ORGANIZATIONS,
  endedBefore: 200 * ORGANIZATIONS,
};
const OPEN_EACH = 6;

describeWith('postgres', 'endCall() with statistics from a time without calls', () => {
  let db: Db;
  let close: () => Promise<void>;
  let granted: string[];
  beforeAll(async () => {
    const { url, drop } = await createTestDatabase();
    db = openDatabase({ url, poolSize: 1, timeoutMs: 60_000, applicationName: 'test' });
    close = async () => {
      await db.destroy();
      await drop();
    };
    granted = [];
    for (const campaign of await seedEnds(db, SEED)) granted.push(...(await feed(campaign)));
  }, 60_000);
  afterAll(() => close());

  async function feed({ organizationId, campaignId }: SeededCampaign): Promise<string[]> {
    const now = Date.now();
    const page = { now, dialUntil: now + 3_600_000, limit: 10 };
    const { claimed } = await claimPage(db, campaignId, page);
    const callIds = claimed.map(({ callId }) => callId);
    return (await registerWaiting(db, organizationId, callIds, now)).granted;
  }

  test("reads open calls of the call's own organization only", async () => {
    expect(granted).toHaveLength(ORGANIZATIONS * SEED.linesEach);
    const end = {
      ...callEndOf({ endReason: 'no_answer', endedAt: new Date().toISOString() }, 2),
      redial: false,
    };
    const read: number[] = [];
    // The first end makes the plans, and the others reuse them, each in another organization.
    for (const callId of granted.filter((_call, nth) => nth % SEED.linesEach === 0).slice(0, 10)) {
      await db.transaction(async (trx) => {
        const before = await onlyRow<{ read: number }>(trx, READ);
        const decision = await endCall(trx, callId, end, Date.now());
        expect(decision?.granted).toHaveLength(1);
        read.push((await onlyRow<{ read: number }>(trx, READ)).read - before.read);
      });
    }
    // Some steps of the end read the same calls again.
    expect(Math.max(...read)).toBeLessThan(5 * OPEN_EACH);
  });
});

/** Counts reads of this connection that haven't been reported yet. */
const READ = `select seq_tup_read + idx_tup_fetch as read from pg_stat_xact_user_tables where relname = 'calls'`;
