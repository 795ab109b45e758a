import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { openDatabase, type Db } from '../../db/kernel/connection';
import { FUNCTIONS_FOLDER } from '../../db/kernel/apply-functions';
import { faultInWords, migrate, type MigrateOptions } from '../../db/migrate';
import { migrationSource, sourceOf } from '../../db/migrations';
import * as tables from '../../db/migrations/0001-tables';
import { rows } from '../../db/kernel/query';
import { freePort } from '../../dev/stack/ports';
import { describeSchema } from '../../dev/schema/describe';
import { temporaryFolder } from '../dev/temporary-folder';
import { describeWith } from '../servers/availability';
import { createEmptyDatabase } from '../servers/database';

describeWith('postgres', 'migrate()', () => {
  let url: string;
  let db: Db;
  let closing: (() => Promise<void>)[];

  async function empty(): Promise<{ url: string; db: Db }> {
    const database = await createEmptyDatabase();
    const opened = openDatabase({
      url: database.url,
      poolSize: 3,
      timeoutMs: 20_000,
      applicationName: 'test',
    });
    closing.push(async () => {
      await opened.destroy();
      await database.drop();
    });
    return { url: database.url, db: opened };
  }

  beforeEach(async () => {
    closing = [];
    ({ url, db } = await empty());
  });
  afterEach(async () => {
    for (const close of closing) await close();
  });

  /** Returns the current functions with some files changed, added or (null) removed. */
  function functions(changes: Record<string, string | null> = {}): string {
    const folder = join(temporaryFolder(), 'functions');
    cpSync(FUNCTIONS_FOLDER, folder, { recursive: true });
    for (const [name, sql] of Object.entries(changes)) {
      if (sql === null) rmSync(join(folder, `${name}.sql`));
      else writeFileSync(join(folder, `${name}.sql`), sql);
    }
    return folder;
  }

  const withFunctions = (changes: Record<string, string | null>): MigrateOptions => ({
    functionsFolder: functions(changes),
  });

  const textOf = (name: string): string => readFileSync(join(FUNCTIONS_FOLDER, `${name}.sql`), 'utf8');

  const edited = (name: string, before: string, after: string): Record<string, string> => {
    const parts = textOf(name).split(before);
    if (parts.length !== 2) throw new Error(`${name} has not once ${before}: bring this test up to date`);
    return { [name]: parts.join(after) };
  };

  async function catalogue(on: Db): Promise<string> {
    const definitions = await rows<{ source: string }>(
      on,
      `select pg_get_functiondef(oid) as source from pg_proc where pronamespace = 'public'::regnamespace order by oid::regprocedure::text`,
    );
    const applied = await rows<{ row: string }>(
      on,
      'select a::text as row from applied_functions a order by name',
    );
    return [
      await describeSchema(on),
      ...definitions.map(({ source }) => source),
      ...applied.map(({ row }) => row),
    ].join('\n');
  }

  const tablesOf = (on: Db): Promise<string[]> =>
    on('pg_tables').where('schemaname', 'public').pluck('tablename');

  test('fills an empty database, returns what it applied, and applies nothing the second time', async () => {
    const first = await migrate(url);
    expect(first.migrations).toEqual(['0001-tables']);
    expect(first.applied).toEqual(expect.arrayContaining(['end_calls', 'start_dial']));
    const made = await catalogue(db);
    expect(await migrate(url)).toEqual({ migrations: [], applied: [], dropped: [] });
    expect(await catalogue(db)).toBe(made);
  });

  describe('migrate() on a database of an earlier version', () => {
    /** Catalogue of a database that only the current version migrated. */
    let fresh: Promise<string> | undefined;
    async function freshCatalogue(): Promise<string> {
      const database = await empty();
      await migrate(database.url);
      return catalogue(database.db);
    }

    async function upgraded(changes: Record<string, string | null>, sql?: string) {
      await migrate(url, withFunctions(changes));
      if (sql !== undefined) await db.raw(sql);
      const result = await migrate(url);
      expect(await catalogue(db)).toBe(await (fresh ??= freshCatalogue()));
      return result;
    }

    test.each([
      ['had another body', edited('grant_lines', 'if free <= 0', 'if free < 0')],
      ['returned another type', edited('ask_refill', ') returns boolean', ') returns text')],
      ['had parameters of other types', edited('failure_rate', 'p_recent text', 'p_recent varchar')],
      ['had one more parameter', edited('failure_rate', 'p_dials integer', 'p_dials integer, p_more text')],
      [
        'named a parameter differently',
        edited('register_waiting', '(p_organization uuid,', '(p_owner uuid,'),
      ],
      [
        'had a default that was removed',
        edited('return_line', 'p_now timestamptz)', 'p_now timestamptz default now())'),
      ],
      ['had no default', edited('start_dial', ` default '{}'`, '')],
      ['had another volatility', edited('ready_ahead', 'language sql stable', 'language sql')],
    ])('replaces a function that %s', async (_what, changes) => {
      expect(await upgraded(changes)).toEqual({ migrations: [], applied: Object.keys(changes), dropped: [] });
    });

    test('drops a function and its trigger that were removed', async () => {
      const { dropped, applied } = await upgraded({
        gone: `create or replace function gone() returns trigger language plpgsql as $$ begin return null; end $$;
create trigger gone after insert on calls for each row execute function gone();`,
      });
      expect({ dropped, applied }).toEqual({ dropped: ['gone'], applied: [] });
    });

    test('creates a function that is missing and the trigger that runs it', async () => {
      expect(await upgraded({ notify_call: null })).toMatchObject({ applied: ['notify_call'] });
    });

    test('replaces a trigger with another condition or name', async () => {
      await upgraded({
        ...edited('notify_call', `new.stage = 'over' and old.stage <> 'over'`, `new.stage = 'over'`),
        ...edited('notify_segments', 'create trigger call_segments_notified', 'create trigger earlier_name'),
        // This trigger's table is partitioned, so each partition has a copy.
        ...edited('index_words', 'old.concluded_at is not null', 'new.concluded_at is not null'),
      });
    });

    test('repairs manual changes: a dropped function and a duplicate of another one', async () => {
      await upgraded(
        edited('grant_lines', 'if free <= 0', 'if free < 0'),
        `drop function failure_rate;
         create function grant_lines(p_organization uuid) returns void language sql as '';`,
      );
    });
  });

  test("rejects a database that isn't encoded in UTF8, and explains how to create one that is", async () => {
    const name = `latin_${process.pid}`;
    await db.raw(
      `create database ${name} encoding 'LATIN1' locale_provider libc locale 'C' template template0`,
    );
    const address = new URL(url);
    address.pathname = name;
    const refused = await migrate(address.href).catch((error: unknown) => faultInWords(error, address.href));
    await db.raw(`drop database ${name}`);
    expect(refused).toMatch(/encoding LATIN1.*create database .* encoding 'UTF8' template template0/);
  });

  test('keeps objects that use a replaced function, and changes nothing if that is impossible', async () => {
    await migrate(url);
    await db.raw('create index by_rate on organizations (failure_rate(recent_dials, 20))');
    const isUsed = (): Promise<unknown[]> => rows(db, `select 1 from pg_indexes where indexname = 'by_rate'`);
    await migrate(
      url,
      withFunctions(edited('failure_rate', '::numeric / p_dials, 3)', '::numeric / p_dials, 4)')),
    );
    expect(await isUsed()).toHaveLength(1);
    const before = await catalogue(db);
    const other = edited('failure_rate', 'p_dials integer', 'p_dials bigint');
    await expect(migrate(url, withFunctions(other))).rejects.toThrow('other objects depend on it');
    expect(await catalogue(db)).toBe(before);
  });

  test('applies functions that call each other in any order and use types of the tables', async () => {
    const named = (name: string, body: string): string =>
      `create or replace function ${name}(k calls) returns boolean language sql stable as $$ ${body} $$;`;
    await migrate(
      url,
      withFunctions({
        a_first: named('a_first', 'select z_last(k)'),
        m_middle: named('m_middle', 'select a_first(k)'),
        z_last: named('z_last', `select k.stage = 'over'`),
      }),
    );
    expect(await rows(db, 'select m_middle(k) from calls k')).toEqual([]);
  });

  test.each([
    [
      'in SQL that calls an unknown function',
      'language sql as $$ select nobody() $$',
      'function nobody() does not exist',
    ],
    ['in invalid PL/pgSQL', 'language plpgsql as $$ begin retrun; end $$', 'syntax error'],
  ])('names the file of a function %s, and changes nothing', async (_what, body, words) => {
    const broken = withFunctions({ broken: `create or replace function broken() returns void ${body};` });
    await expect(migrate(url, broken)).rejects.toThrow(
      new RegExp(`^db/functions/broken\\.sql: .*${words.replace(/[()]/g, '\\$&')}`, 's'),
    );
    expect(await tablesOf(db)).toEqual([]);
  });

  test('rejects a database that a newer version migrated, and keeps its functions', async () => {
    const newer = { '0001-tables': tables, '0002-more': { up: () => Promise.resolve() } };
    await migrate(url, {
      migrations: sourceOf(newer),
      ...withFunctions({ ...edited('grant_lines', 'if free <= 0', 'if free < 0') }),
    });
    const before = await catalogue(db);
    const refusal = await migrate(url).catch((error: unknown) => error);
    expect(faultInWords(refusal, url)).toMatch(
      /^The database is newer than this version of the platform, which doesn't know the migration 0002-more\. /,
    );
    expect(await catalogue(db)).toBe(before);
  });

  test('runs in one of several processes, and leaves nothing for the others to apply', async () => {
    const done = await Promise.all([1, 2, 3, 4].map(() => migrate(url)));
    expect(done.filter(({ migrations }) => migrations.length > 0)).toHaveLength(1);
    expect(done.filter(({ applied }) => applied.length > 0)).toHaveLength(1);
  });

  /** Returns a migration that does its work and then keeps running until its connection is cut. */
  function endless() {
    let reached: (pid: number) => void;
    const isReached = new Promise<number>((resolve) => (reached = resolve));
    const up: typeof tables.up = async (knex) => {
      await knex.raw('create table half_done (id integer)');
      const [{ pid } = { pid: 0 }] = await rows<{ pid: number }>(knex, 'select pg_backend_pid() as pid');
      reached(pid);
      await knex.raw('select pg_sleep(600)');
    };
    return { migrations: sourceOf({ '0001-tables': tables, '0002-endless': { up } }), isReached };
  }

  test('reports that it waits for another migration, and continues once that one is rolled back', async () => {
    const { migrations, isReached } = endless();
    const cutOff = migrate(url, { migrations }).catch((error: unknown) => error);
    const pid = await isReached;
    const waiting = { after: migrate(url, { onWait: () => said('it waits') }), said: [] as string[] };
    const said = (words: string): void => {
      waiting.said.push(words);
      void rows(db, 'select pg_terminate_backend(:pid)', { pid });
    };
    expect(await waiting.after).toMatchObject({ migrations: ['0001-tables'] });
    expect(waiting.said).toEqual(['it waits']);
    expect(await cutOff).toBeInstanceOf(Error);
    expect(await tablesOf(db)).not.toContain('half_done');
    expect(await migrate(url)).toEqual({ migrations: [], applied: [], dropped: [] });
  });

  test('gives up on a table that a long transaction locks, before other statements queue behind it', async () => {
    await migrate(url);
    const backup = new Client({ connectionString: url });
    await backup.connect();
    await backup.query('begin; lock table calls in access share mode');
    const fault = await migrate(url, withFunctions({ notify_call: null })).catch((error: unknown) => error);
    expect(faultInWords(fault, url)).toContain('has locked a table for more than 5 s');
    await backup.end();
    expect(await migrate(url)).toEqual({ migrations: [], applied: [], dropped: [] });
  });

  describe('faultInWords()', () => {
    const said = async (address: string): Promise<string | null> =>
      faultInWords(await migrate(address).catch((error: unknown) => error), address);
    const changed = (change: (address: URL) => void): string => {
      const address = new URL(url);
      change(address);
      return address.toString();
    };

    test("explains that Postgres isn't responding, without showing the password", async () => {
      const port = String(await freePort(0));
      const words = await said(changed((address) => (address.port = port)));
      expect(words).toContain(`Postgres isn't responding at 127.0.0.1:${port}`);
      expect(words).not.toContain(new URL(url).password);
    });

    test('explains a missing database, a failed login and an invalid URL', async () => {
      expect(await said(changed((address) => (address.pathname = '/not_there')))).toBe(
        'Can\'t connect to Postgres: database "not_there" does not exist.',
      );
      expect(await said(changed((address) => (address.password = 'wrong')))).toMatch(
        /^Can't connect to Postgres: password authentication failed/,
      );
      expect(await said('nonsense')).toMatch(/^DATABASE_URL is not a valid URL\. Set it to postgres:/);
    });

    test('returns null for a bug, because the stack trace says more', () => {
      expect(faultInWords(new TypeError('x is not a function'), url)).toBeNull();
    });
  });

  test('rejects a down migration', async () => {
    const migration = await migrationSource.getMigration('0001-tables');
    await expect(migration.down?.(db)).rejects.toThrow('restore a backup');
  });
});
