import { listAudit, recordAudit } from '../../db/organizations/audit';
import { openDatabase, type Db } from '../../db/kernel/connection';
import { keepPartitions } from '../../db/kernel/partitions';
import { onlyRow, rows } from '../../db/kernel/query';
import { describeWith } from '../servers/availability';
import { createTestDatabase } from '../servers/database';
import { partitionsIn, plansOf, rowsRead } from './support/plan-of';

const MONTHS = 60;
/** Far from the current month. */
const FIRST_YEAR = 2040;
const monthsLater = (months: number, day = 15): number => Date.UTC(FIRST_YEAR, months, day);
const ORGANIZATION = '0d1f7c1e-6a57-4c52-8f0b-3d1c7e0f9a11';
const EVERYTHING = { organizationId: null, subjectId: null, since: null };

describeWith('postgres', 'the audit log by month', () => {
  let db: Db;
  let close: () => Promise<void>;
  beforeEach(async () => {
    const { url, drop } = await createTestDatabase();
    db = openDatabase({ url, poolSize: 2, timeoutMs: 20_000, applicationName: 'test' });
    close = async () => {
      await db.destroy();
      await drop();
    };
  });
  afterEach(() => close());

  const record = (subjectId: string, now: number) =>
    recordAudit(db, {
      organizationId: null,
      actor: { kind: 'operator', id: 'Asha', requestId: null },
      action: 'org.update',
      subjectId,
      now,
    });
  const months = async (): Promise<string[]> => {
    const found = await rows<{ name: string }>(
      db,
      `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'audit_log'::regclass
       and inhrelid::regclass::text like 'audit_log_20%' order by 1`,
    );
    return found.map(({ name }) => name);
  };
  const placeOf = (subject: string) =>
    onlyRow<{ place: string }>(
      db,
      'select tableoid::regclass::text as place from audit_log where subject_id = :subject',
      { subject },
    );

  test('creates three monthly partitions in a migration, so that a new entry has one', async () => {
    expect(await months()).toHaveLength(3);
    await record('today', Date.now());
    expect((await placeOf('today')).place).toMatch(/^audit_log_\d{4}_\d\d$/);
  });

  test('accepts an entry whose month has no partition, and moves it when the partition is created', async () => {
    await record('first instant', monthsLater(0, 1));
    await record('last instant', monthsLater(1, 1) - 1);
    await record('elsewhere', monthsLater(5));
    expect((await placeOf('first instant')).place).toBe('audit_log_other');
    await keepPartitions(db, 'audit_log', { now: monthsLater(0), keepFrom: null });
    expect(await Promise.all(['first instant', 'last instant', 'elsewhere'].map(placeOf))).toEqual([
      { place: 'audit_log_2040_01' },
      { place: 'audit_log_2040_01' },
      { place: 'audit_log_other' },
    ]);
    await record('later', monthsLater(0));
    await keepPartitions(db, 'audit_log', { now: monthsLater(24), keepFrom: null });
    expect((await placeOf('elsewhere')).place).toBe('audit_log_2040_06');
    const ids = await rows<{ id: string }>(db, 'select distinct id from audit_log');
    expect(ids).toHaveLength(4);
  });

  test('drops only the months that ended before the retention limit', async () => {
    for (const month of [0, 1, 2]) await record(`month ${month}`, monthsLater(month));
    await record('long ago', Date.UTC(2000, 0, 1));
    await keepPartitions(db, 'audit_log', { now: monthsLater(0), keepFrom: null });
    const present = (await months()).length;
    expect(await keepPartitions(db, 'audit_log', { now: monthsLater(0), keepFrom: monthsLater(1, 28) })).toBe(
      present - 2,
    );
    const left = await listAudit(db, EVERYTHING, 10);
    expect(left.map(({ subjectId }) => subjectId)).toEqual(['month 2', 'month 1']);
    expect(await keepPartitions(db, 'audit_log', { now: monthsLater(0), keepFrom: null })).toBe(0);
    expect((await months()).slice(-3)).toEqual([
      'audit_log_2040_01',
      'audit_log_2040_02',
      'audit_log_2040_03',
    ]);
  });

  test('configures autovacuum to process each partition after a small share of new entries', async () => {
    await keepPartitions(db, 'audit_log', { now: monthsLater(0), keepFrom: null });
    const parts = await rows<{ options: string[] }>(
      db,
      `select reloptions as options from pg_inherits join pg_class c on c.oid = inhrelid where inhparent = 'audit_log'::regclass`,
    );
    expect(parts.length).toBeGreaterThanOrEqual(4);
    for (const { options } of parts) {
      expect(options).toEqual([
        'autovacuum_vacuum_scale_factor=0.02',
        'autovacuum_vacuum_insert_scale_factor=0.02',
        'autovacuum_analyze_scale_factor=0.02',
      ]);
    }
  });

  test('gives up without changes while a transaction writes to the log', async () => {
    await keepPartitions(db, 'audit_log', { now: monthsLater(0), keepFrom: null });
    const before = await months();
    await db.transaction(async (trx) => {
      await recordAudit(trx, {
        organizationId: null,
        actor: { kind: 'operator', id: 'Asha', requestId: null },
        action: 'org.update',
        subjectId: 'under way',
        now: monthsLater(0),
      });
      await expect(
        keepPartitions(db, 'audit_log', { now: monthsLater(3), keepFrom: monthsLater(3) }),
      ).rejects.toThrow('lock timeout');
    });
    expect(await months()).toEqual(before);
  });

  test('reads only a few rows per month for a page, and no month before the start time', async () => {
    for (let month = 0; month < MONTHS; month += 3) {
      await keepPartitions(db, 'audit_log', { now: monthsLater(month), keepFrom: null });
    }
    await db.raw(
      `insert into audit_log (at, organization_id, actor_kind, actor_id, action, subject_id)
       select make_timestamptz(${FIRST_YEAR} + month / 12, 1 + month % 12, 1, 0, 0, 0, 'UTC') + make_interval(mins => entry),
         case when entry % 10 = 1 then '${ORGANIZATION}' else md5('client' || entry % 10) end::uuid, 'operator', 'Asha', 'org.update', 'subject ' || entry
       from generate_series(0, ${MONTHS - 1}) month, generate_series(1, 200) entry`,
    );
    await db.raw('vacuum analyze audit_log');
    const [newest = ''] = await plansOf(db, () =>
      listAudit(db, { ...EVERYTHING, organizationId: ORGANIZATION }, 50),
    );
    expect(newest).toContain('Merge Append');
    expect(newest).not.toMatch(/Sort \(|Seq Scan on audit_log/);
    expect(rowsRead(newest, 'audit_log')).toBeLessThanOrEqual(50 + 2 * (MONTHS + 4));

    const [since = ''] = await plansOf(db, () =>
      listAudit(db, { ...EVERYTHING, since: Date.UTC(FIRST_YEAR, MONTHS - 2) }, 10_000),
    );
    expect(partitionsIn(since, 'audit_log')).toEqual([
      'audit_log_2044_11',
      'audit_log_2044_12',
      'audit_log_other',
    ]);
  });
});
