/**
 * The real Postgres as the simulated processes see it: one connection, on which transactions come one after the other. Each statement
 * is a request over a link that may be at fault, and a process that dies leaves no transaction open.
 */
import type { Writable } from 'node:stream';
import type { Client, QueryResult, Submittable } from 'pg';
import { MessageLost, type SimulatedProcess, type World } from '../world';

export interface Statement {
  text: string;
  values?: unknown[];
}

/** What knex is given as the result of `begin`, `commit`, `rollback` where Postgres is not asked. */
const NOTHING = { command: '', rowCount: 0, oid: 0, fields: [], rows: [] } as unknown as QueryResult;

/** The lock that keeps two reconciliations apart is held over a transaction that writes nothing: it is kept here, as others write meanwhile. */
const ADVISORY_LOCK = /pg_try_advisory_xact_lock/;

/** Of the time that a server which died is away. */
const RECOVERY_PART = 0.3;

/** A query that calls none of the engine's functions. */
const READS = /^\s*select (?!\w+\()/i;

export class SimulatedPostgres {
  private holder: SimulatedConnection | null = null;
  private turn: SimulatedConnection | null = null;
  private waiting: { connection: SimulatedConnection; start: () => void; fail: (error: Error) => void }[] =
    [];
  /** Virtual milliseconds: until then it refuses, at last as a server that recovers. */
  private downUntilMs = 0;
  private recoversFromMs = 0;
  /** It dies with the next transaction that it commits, so that nobody learns of it, and is away for so long. */
  private diesWithCommit: { downMs: number } | null = null;
  /** Called when something may have changed in the database. */
  onCommit: () => void = () => undefined;
  statements = 0;

  constructor(
    readonly world: World,
    private readonly client: Client,
    /** Of the statements that the connection has prepared. */
    private readonly names: Map<string, string>,
  ) {}

  /** A transaction is open. */
  get isBusy(): boolean {
    return this.holder !== null;
  }

  connect(process: SimulatedProcess): SimulatedConnection {
    return new SimulatedConnection(this, process);
  }

  /** Its connections are cut: what they had not committed never was. */
  async processDied(process: SimulatedProcess): Promise<void> {
    this.waiting = this.waiting.filter(({ connection }) => connection.process !== process);
    if (this.turn?.process === process) this.turn = null;
    if (this.holder?.process === process) {
      await this.execute({ text: 'rollback' });
      this.release();
    }
  }

  /** What was not committed never was, and whoever waits for a lock waits no more. */
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

  /** With the next transaction that commits within the time. */
  dieWithCommit(downMs: number, withinMs: number): void {
    this.diesWithCommit = { downMs };
    this.world.scheduler.after(withinMs, null, () => (this.diesWithCommit = null));
  }

  /** @throws MessageLost where the answer to a commit is lost with the server */
  async committed(): Promise<void> {
    this.onCommit();
    if (this.diesWithCommit === null) return;
    const { downMs } = this.diesWithCommit;
    this.world.trace.note('postgres', `dies after a commit, for ${downMs} ms`);
    await this.die(downMs);
    throw new MessageLost('postgres', 'silent');
  }

  /** @throws MessageLost, or the server's own words, while it is away */
  assertUp(): void {
    const { nowMs } = this.world;
    if (nowMs >= this.downUntilMs) return;
    if (nowMs < this.recoversFromMs) throw new MessageLost('postgres', 'refused');
    throw Object.assign(new Error('the database system is starting up'), { code: '57P03' });
  }

  /**
   * Waits until no other transaction is open.
   * @throws MessageLost where the server dies meanwhile
   */
  async exclusively(connection: SimulatedConnection): Promise<void> {
    while (this.holder !== null && this.holder !== connection) {
      await new Promise<void>((start, fail) => this.waiting.push({ connection, start, fail }));
    }
  }

  hold(connection: SimulatedConnection): void {
    this.holder = connection;
  }

  /** Those who wait look again, one after the other. */
  release(): void {
    this.holder = null;
    const woken = this.waiting;
    this.waiting = [];
    for (const { connection, start } of woken) this.world.scheduler.after(0, connection.process, start);
  }

  /** Whether the connection has the lock of reconciliation now. */
  takeTurn(connection: SimulatedConnection): boolean {
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

  /** Prepared on first use: planning the engine's statements costs several times their execution. */
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

/** `broken`: its transaction is lost, and the asker is yet to find that. */
type State = 'idle' | 'begun' | 'open' | 'turn' | 'broken';

/** What knex takes for a connection of `pg`. */
export class SimulatedConnection {
  private state: State = 'idle';

  constructor(
    private readonly postgres: SimulatedPostgres,
    readonly process: SimulatedProcess,
  ) {}

  /** The server is gone, and the transaction that it had open with it. */
  cut(): void {
    this.state = 'broken';
  }

  /** A copy is a stream within a transaction that is open: it runs to its end at the instant at which it begins. */
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
          // Until whoever has the transaction rolls it back.
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
      return { ...NOTHING, rows: [{ isFree: this.postgres.takeTurn(this) }] };
    }
    await this.postgres.exclusively(this);
    this.postgres.assertUp();
    // knex counts its savepoints over the whole process.
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

  /** What was open on it is rolled back by the server, at the latest when it learns of it. */
  private async broken(): Promise<void> {
    const { state } = this;
    this.state = 'idle';
    if (state === 'turn') this.postgres.endTurn(this);
    if (state !== 'open') return;
    await this.postgres.execute({ text: 'rollback' });
    this.postgres.release();
  }
}

/** As `pg` names it, whatever the link's fault was. */
function connectionLost({ how }: MessageLost): Error {
  return how === 'refused'
    ? Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    : Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' });
}
