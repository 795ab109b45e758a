import { isDatabaseUnreachable } from '../../db/kernel/database-unreachable';
import { openDatabase, type Db } from '../../db/kernel/connection';
import { rows } from '../../db/kernel/query';
import { describeWith } from '../servers/availability';
import { EngineDatabase } from './support/engine-database';
import { PostgresProxy } from './support/postgres-proxy';

describeWith('postgres', 'a transaction in which Postgres falls silent', () => {
  let engine: EngineDatabase;
  let proxy: PostgresProxy;
  let db: Db;
  beforeAll(async () => {
    engine = await EngineDatabase.open();
    proxy = await PostgresProxy.open(engine.url);
    db = openDatabase({ url: proxy.url, poolSize: 1, timeoutMs: 3_000, applicationName: 'test' });
  });
  afterAll(async () => {
    await db.destroy();
    proxy.close();
    await engine.close();
  });

  test("fails a statement when Postgres isn't responding, and sends no rollback", async () => {
    await rows(db, 'select 1');
    proxy.silenceAfter('lost');
    const fault = await db.transaction((trx) => rows(trx, `select 'lost'`)).catch((error: unknown) => error);
    expect(isDatabaseUnreachable(fault)).toBe(true);
    expect(proxy.undelivered.filter((said) => said.includes('ROLLBACK'))).toEqual([]);
  });

  test('runs the next statement on another connection', async () => {
    proxy.speak();
    expect(await rows(db, 'select 1 as one')).toEqual([{ one: 1 }]);
  });
});

describeWith('postgres', 'the error of a statement', () => {
  let engine: EngineDatabase;
  beforeAll(async () => {
    engine = await EngineDatabase.open();
  });
  afterAll(() => engine.close());

  test.each(['select 1 / (length(:value) * 0)', 'select * from nowhere where name = :value'])(
    'includes the statement in an error, but none of its bound values',
    async (sql) => {
      const fault: unknown = await rows(engine.db, sql, { value: 'Priyanka' }).catch(
        (error: unknown) => error,
      );
      expect(String(fault)).toContain(sql.slice(0, 8));
      expect(JSON.stringify([String(fault), (fault as Error).stack])).not.toContain('Priyanka');
    },
  );
});
