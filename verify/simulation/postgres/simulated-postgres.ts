/**
 * The real Postgres as simulated processes see it: a single connection that runs one transaction after another. Each statement is a request
 * over a link that can fail. A process that dies leaves no open transaction behind.
 */
import { createRequire } from 'node:module';
import type { Writable } from 'node:stream';
import knexFactory from 'knex';
import { Client, type QueryResult, type Submittable } from 'pg';
import type { Db } from '../../../db/kernel/connection';
import { MessageLost, type SimulatedProcess, type World } from '../world';

interface Statement {
  text: string;
  values?: unknown[];
}

/** Result for knex if `begin`, `commit` or `rollback` isn't sent to Postgres. */
const NOTHING = { command: '', rowCount: 0, oid: 0, fields: [], rows: [] } as unknown as QueryResult;

/**
 * Advisory lock that keeps passes of reconciliation apart. It spans a read-only transaction during which other transactions write, so it is
 * simulated here.
 */
const ADVISORY_LOCK = /pg_try_advisory_xact_lock/;

/** Share of the downtime during which the server responds that it is starting up. */
const RECOVERY_PART = 0.3;

/** Matches a query that calls no engine function. */
const READS = /^\s*select (?!\w+\()/i;

export class SimulatedPostgres {
  private holder: SimulatedConnection | null = null;
  private turn: SimulatedConnection | null = null;
  private waiting: { connection: SimulatedConnection; start: () => void; fail: (error: Error) => void }[] =
    [];
  /** Postgres rejects connections until this virtual time. Towards the end, it responds like a server in recovery. */
  private downUntilMs = 0;
  private recoversFromMs = 0;
  /** Postgres dies with the next commit, whose response is lost, and stays unreachable for `downMs`. */
  private diesWithCommit: { downMs: number } | null = null;
  /** Called when the database may have changed. */
  onCommit: () => void = () => undefined;
  statements = 0;

  constructor(
    readonly world: World,
    private readonly client: Client,
    /** Prepared statements of the connection. */
    private readonly names: Map<string, string>,
  ) {}

  get isBusy(): boolean {
    return this.holder !== null;
  }

  connect(process: SimulatedProcess): SimulatedConnection {
    return new SimulatedConnection(this, process);
  }

  /** Cuts a process's connections and discards its uncommitted work. */
  async processDied(process: SimulatedProcess): Promise<void> {
    this.waiting = this.waiting.filter(({ connection }) => connection.process !== process);
    if (this.turn?.process === process) this.turn = null;
    if (this.holder?.process === process) {
      await this.execute({ text: 'rollback' });
      this.release();
    }
  }

  /** Discards uncommitted work and fails all connections that wait for a lock. */
  async die(downMs: number): Promise<void> {
    const { nowMs, scheduler } = this.world;
    this.downUntilMs = nowMs + downMs;
    this.recoversFromMs = nowMs + downMs * (1 - RECOVERY_PART);
    this.diesWithCommit = null;
    this.turn?.cut();
    this.turn = null;
    const waiting = this.waiting;
    this.waiting = [];
    for (const { connection, fail } of waiting) {
      scheduler.after(0, connection.process, () => fail(new MessageLost('postgres', 'silent')));
    }
    const { holder } = this;
    this.holder = null;
    if (holder === null) return;
    holder.cut();
    await this.execute({ text: 'rollback' });
  }

  /** Makes the server die with the next commit within the given time. */
  dieWithCommit(downMs: number, withinMs: number): void {
    this.diesWithCommit = { downMs };
    this.world.scheduler.after(withinMs, null, () => (this.diesWithCommit = null));
  }

  /** @throws MessageLost if the response to a commit is lost because the server dies */
  async committed(): Promise<void> {
    this.onCommit();
    if (this.diesWithCommit === null) return;
    const { downMs } = this.diesWithCommit;
    this.world.trace.note('postgres', `dies after a commit, for ${downMs} ms`);
    await this.die(downMs);
    throw new MessageLost('postgres', 'silent');
  }

  /** @throws MessageLost or the server's own error while the server is unreachable */
  assertUp(): void {
    const { nowMs } = this.world;
    if (nowMs >= this.downUntilMs) return;
    if (nowMs < this.recoversFromMs) throw new MessageLost('postgres', 'refused');
    throw Object.assign(new Error('the database system is starting up'), { code: '57P03' });
  }

  /** Waits until no other transaction is open. @throws MessageLost if the server dies in the meantime */
  async exclusively(connection: SimulatedConnection): Promise<void> {
    while (this.holder !== null && this.holder !== connection) {
      await new Promise<void>((start, fail) => this.waiting.push({ connection, start, fail }));
    }
  }

  hold(connection: SimulatedConnection): void {
    this.holder = connection;
  }

  /** Wakes the waiting connections one after another. */
  release(): void {
    this.holder = null;
    const woken = this.waiting;
    this.waiting = [];
    for (const { connection, start } of woken) this.world.scheduler.after(0, connection.process, start);
  }

  /** Tries to take the reconciliation lock for the connection. Returns true if the connection now has it. */
  takeReceiverSlot(connection: SimulatedConnection): boolean {
    if (this.turn !== null && this.turn !== connection) return false;
    this.turn = connection;
    return true;
  }

  endTurn(connection: SimulatedConnection): void {
    if (this.turn === connection) this.turn = null;
  }

  copy(stream: Submittable & NodeJS.EventEmitter): unknown {
    void this.world.scheduler.work(
      () =>
        new Promise<void>((resolve) => {
          stream.once('finish', resolve);
          stream.once('error', () => resolve());
        }),
    );
    return this.client.query(stream);
  }

  /** Prepares each statement on first use, because planning the engine's statements takes several times as long as executing them. */
  execute({ text, values }: Statement): Promise<QueryResult> {
    this.statements += 1;
    if (values === undefined || values.length === 0) {
      return this.world.scheduler.work(() => this.client.query(text));
    }
    let name = this.names.get(text);
    if (name === undefined) this.names.set(text, (name = `s${this.names.size}`));
    const named = { name, text, values };
    return this.world.scheduler.work(() => this.client.query(named));
  }
}

/** `broken`: the transaction is lost, but its connection hasn't noticed yet. */
type State = 'idle' | 'begun' | 'open' | 'turn' | 'broken';

/** A connection as knex expects it from `pg`. */
class SimulatedConnection {
  private state: State = 'idle';

  constructor(
    private readonly postgres: SimulatedPostgres,
    readonly process: SimulatedProcess,
  ) {}

  /** The server is gone, and so is the open transaction. */
  cut(): void {
    this.state = 'broken';
  }

  /** A COPY is a stream inside an open transaction. In virtual time, it completes at the moment it starts. */
  query(
    statement: Statement | (Submittable & NodeJS.EventEmitter),
    answered: (error: unknown, result?: QueryResult) => void,
  ): unknown {
    if ('submit' in statement) return this.copied(statement);
    this.run(statement).then(
      (result) => answered(null, result),
      (error: unknown) => answered(error instanceof MessageLost ? connectionLost(error) : error),
    );
    return undefined;
  }

  private copied(stream: Submittable & NodeJS.EventEmitter): unknown {
    if (this.state === 'open') return this.postgres.copy(stream);
    const { scheduler } = this.postgres.world;
    const lost = connectionLost(new MessageLost('postgres', 'silent'));
    scheduler.after(0, this.process, () => (stream as unknown as Writable).destroy(lost));
    return stream;
  }

  private run(statement: Statement): Promise<QueryResult> {
    const { text } = statement;
    if (/^begin/i.test(text)) {
      this.state = 'begun';
      return Promise.resolve(NOTHING);
    }
    if (/^(commit|rollback)/i.test(text)) return this.end(text);
    return this.postgres.world
      .exchange(this.process, 'postgres', () => this.arrived(statement))
      .catch(async (error: unknown) => {
        if (error instanceof MessageLost) {
          const isWithin = this.state !== 'idle';
          await this.broken();
          // The connection stays cut until the transaction's owner rolls back.
          if (isWithin) this.cut();
        }
        throw error;
      });
  }

  private async arrived(statement: Statement): Promise<QueryResult> {
    if (this.state === 'broken') throw new MessageLost('postgres', 'silent');
    this.postgres.assertUp();
    if (this.state === 'turn') return this.postgres.execute(statement);
    if (this.state === 'begun' && ADVISORY_LOCK.test(statement.text)) {
      this.state = 'turn';
      return { ...NOTHING, rows: [{ isFree: this.postgres.takeReceiverSlot(this) }] };
    }
    await this.postgres.exclusively(this);
    this.postgres.assertUp();
    // knex numbers savepoints across the whole process.
    const text = statement.text.slice(0, 60).replace(/trx\d+/, 'trx');
    this.postgres.world.trace.step(`${this.process.name}: ${text}`);
    if (this.state === 'begun') {
      this.postgres.hold(this);
      this.state = 'open';
      await this.postgres.execute({ text: 'begin' });
    }
    const result = await this.postgres.execute(statement);
    if (this.state !== 'open' && !READS.test(statement.text)) await this.postgres.committed();
    return result;
  }

  private async end(text: string): Promise<QueryResult> {
    const { state } = this;
    this.state = 'idle';
    if (state === 'turn') this.postgres.endTurn(this);
    const isRollback = /^rollback/i.test(text);
    if (state === 'broken' && !isRollback) throw new MessageLost('postgres', 'silent');
    if (state !== 'open') return NOTHING;
    const finish = async (): Promise<QueryResult> => {
      const result = await this.postgres.execute({ text });
      this.postgres.release();
      if (!isRollback) await this.postgres.committed();
      return result;
    };
    if (isRollback) return finish();
    this.state = 'open';
    return this.postgres.world
      .exchange(this.process, 'postgres', () => {
        if (this.state === 'broken') throw new MessageLost('postgres', 'silent');
        this.state = 'idle';
        return finish();
      })
      .catch(async (error: unknown) => {
        if (error instanceof MessageLost) await this.broken();
        throw error;
      });
  }

  /** The server rolls back the open transaction, at the latest when it notices the lost connection. */
  private async broken(): Promise<void> {
    const { state } = this;
    this.state = 'idle';
    if (state === 'turn') this.postgres.endTurn(this);
    if (state !== 'open') return;
    await this.postgres.execute({ text: 'rollback' });
    this.postgres.release();
  }
}

/** Returns the error that `pg` reports for any failure of the link. */
function connectionLost({ how }: MessageLost): Error {
  return how === 'refused'
    ? Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    : Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' });
}

/** The part of knex's Postgres client that is replaced here. knex doesn't declare a type for it. */
type DialectConstructor = new (config: object) => {
  acquireConnection(): Promise<unknown>;
  releaseConnection(connection: unknown): Promise<void>;
};

const Dialect = createRequire(__filename)('knex/lib/dialects/postgres/index.js') as DialectConstructor;

/** The pool has no limit, because the simulation doesn't cover connection limits. */
export function openSimulated(postgres: SimulatedPostgres, process: SimulatedProcess): Db {
  const free: Client[] = [];
  class SimulatedDialect extends Dialect {
    override acquireConnection(): Promise<unknown> {
      return Promise.resolve(free.pop() ?? facadeOf(postgres.connect(process)));
    }
    override releaseConnection(connection: unknown): Promise<void> {
      free.push(connection as Client);
      return Promise.resolve();
    }
  }
  return knexFactory({ client: SimulatedDialect as never });
}

/** Must be a subclass of `pg`'s client, because the COPY of contacts requires one. */
function facadeOf(connection: SimulatedConnection): Client {
  const query = (...args: Parameters<SimulatedConnection['query']>): unknown => connection.query(...args);
  return Object.create(Client.prototype, { query: { value: query } }) as Client;
}
