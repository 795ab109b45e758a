/**
 * Receives NOTIFY messages on its own connection, which reconnects by itself. Messages that are sent while it is down are lost, so read the
 * tables again in `onSubscribed`.
 */
import { Socket } from 'node:net';
import { Client } from 'pg';

export interface NotificationOptions {
  url: string;
  channels: readonly string[];
  /** Appears in pg_stat_activity. */
  applicationName: string;
  onNotification: (channel: string, payload: string) => void;
  /** Called whenever the subscription starts: at first and after each reconnect. */
  onSubscribed?: () => void;
  /** Interval between the checks that detect a dead connection. Default: 10 s. */
  checkedEveryMs?: number;
}

/** The first attempt is immediate, because the server is usually fine when a single connection is cut. */
const RECONNECT_MS = [0, 100, 500, 1_000, 2_000, 5_000];
const ANSWER_WITHIN_MS = 2_500;
const CHECKED_EVERY_MS = 10_000;

interface Connection {
  client: Client;
  /** Needed to cut the connection when the server is silent. */
  socket: Socket;
}

export class Notifications {
  private connection: Connection | null = null;
  private isSubscribed = false;
  private isStopped = false;
  private failures = 0;
  private timer: NodeJS.Timeout | undefined;
  private readonly waiting = new Waiting();

  constructor(private readonly options: NotificationOptions) {}

  start(): void {
    void this.connect();
  }

  /** Waits up to `withinMs` for the subscription, and resolves to whether it is active. */
  async ready(withinMs: number): Promise<boolean> {
    if (!this.isSubscribed && !this.isStopped) await this.waiting.until(withinMs);
    return this.isSubscribed;
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    const { connection } = this;
    if (connection === null) clearTimeout(this.timer);
    else this.lose(connection);
    await connection?.client.end().catch(() => undefined);
    connection?.socket.destroy();
  }

  private async connect(): Promise<void> {
    const { channels, onSubscribed } = this.options;
    const connection = this.open();
    try {
      await connection.client.connect();
      await connection.client.query(channels.map((channel) => `listen ${channel}`).join(';'));
    } catch {
      this.reconnect(connection);
      return;
    }
    if (this.connection !== connection) return;
    this.failures = 0;
    this.isSubscribed = true;
    this.waiting.done();
    this.watch(connection);
    onSubscribed?.();
  }

  private open(): Connection {
    const { url, applicationName, onNotification } = this.options;
    const socket = new Socket();
    const client = new Client({
      connectionString: url,
      application_name: applicationName,
      connectionTimeoutMillis: ANSWER_WITHIN_MS,
      query_timeout: ANSWER_WITHIN_MS,
      keepAlive: true,
      stream: () => socket,
    });
    const connection = { client, socket };
    this.connection = connection;
    client.on('error', () => this.reconnect(connection));
    client.on('end', () => this.reconnect(connection));
    client.on('notification', ({ channel, payload = '' }) => onNotification(channel, payload));
    return connection;
  }

  private watch(connection: Connection): void {
    this.timer = setTimeout(() => {
      connection.client.query('select 1').then(
        () => {
          if (this.connection === connection) this.watch(connection);
        },
        () => this.reconnect(connection),
      );
    }, this.options.checkedEveryMs ?? CHECKED_EVERY_MS).unref();
  }

  private reconnect(connection: Connection): void {
    if (this.connection !== connection) return;
    this.lose(connection);
    // Cut the connection, because a hanging server would never answer an orderly close.
    connection.socket.destroy();
    const delayMs = RECONNECT_MS[Math.min(this.failures, RECONNECT_MS.length - 1)] ?? 0;
    this.failures += 1;
    this.timer = setTimeout(() => void this.connect(), delayMs).unref();
  }

  private lose(connection: Connection): void {
    if (this.connection !== connection) return;
    clearTimeout(this.timer);
    this.connection = null;
    this.isSubscribed = false;
  }
}

class Waiting {
  private readonly waiting = new Set<() => void>();

  async until(withinMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.waiting.add(resolve);
      timer = setTimeout(resolve, withinMs);
      timer.unref();
    }).finally(() => clearTimeout(timer));
  }

  done(): void {
    for (const resolve of this.waiting) resolve();
    this.waiting.clear();
  }
}
