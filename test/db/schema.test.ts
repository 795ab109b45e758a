import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase, type Db } from '../../db/kernel/connection';
import { describeSchema } from '../../dev/schema/describe';
import { describeWith } from '../servers/availability';
import { createTestDatabase } from '../servers/database';

const FILE = join(__dirname, '../../db/schema.sql');

describeWith('postgres', 'db/schema.sql', () => {
  let db: Db;
  let drop: () => Promise<void>;
  beforeEach(async () => {
    const database = await createTestDatabase();
    drop = database.drop;
    db = openDatabase({ url: database.url, poolSize: 1, timeoutMs: 20_000, applicationName: 'test' });
  });
  afterEach(async () => {
    await db.destroy();
    await drop();
  });

  test('matches what "npm run schema" writes for a freshly migrated database (run it and commit the file)', async () => {
    expect((await describeSchema(db)).split('\n')).toEqual(readFileSync(FILE, 'utf8').split('\n'));
  });

  test.each([
    ['a column', 'alter table lines add column note text'],
    ['the type of a column', 'alter table lines alter column campaign_id type text'],
    ['a default', 'alter table lines alter column taken_at set default now()'],
    ['whether a column may be null', 'alter table lines alter column campaign_id set not null'],
    ['a constraint', 'alter table lines add check (taken_at > now())'],
    ['an index', 'create index more on lines (taken_at) where campaign_id is null'],
    ['a trigger', 'create trigger more before insert on lines for each row execute function notify_call()'],
    ['a comment', `comment on column lines.taken_at is 'Another.'`],
    ['a signature', 'create function grant_lines(p_other text) returns void language sql as $$ $$'],
    ['an option of a table', 'alter table lines set (fillfactor = 50)'],
    ['the settings of autovacuum', 'alter table calls reset (autovacuum_vacuum_scale_factor)'],
  ])('writes a different db/schema.sql after a change of %s', async (_what, sql) => {
    const before = await describeSchema(db);
    await db.raw(sql);
    expect(await describeSchema(db)).not.toBe(before);
  });

  test.each([
    ['a view', 'create view some_view as select 1 as one', 'some_view'],
    ['an enum', `create type some_type as enum ('a')`, 'some_type'],
    ['a separate sequence', 'create sequence some_sequence', 'some_sequence'],
  ])('rejects a database with %s, which the schema would leave out', async (_what, sql, name) => {
    await db.raw(sql);
    await expect(describeSchema(db)).rejects.toThrow(`cannot describe ${name}`);
  });
});
