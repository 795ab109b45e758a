/** Sessions for clients that can ask their user a question. They are needed because the question and the answer are two requests. */
import { randomUUID } from 'node:crypto';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';

/** Large enough for a contact file of 10 MiB as JSON text. */
export const MAX_BODY_BYTES = 16 * 1024 * 1024;
const MAX_PER_KEY = 20;
const MAX = 1_000;
const IDLE_MS = 30 * 60_000;

interface Session {
  transport: StreamableHTTPServerTransport;
  keyHash: string;
  usedAt: number;
}

export class Sessions {
  /** Ordered by last use, with the most recently used last. */
  private readonly open = new Map<string, Session>();

  constructor(private readonly now: () => number = Date.now) {}

  /** Returns a transport for a new session. If a limit is exceeded, closes the sessions that have been idle longest. */
  begin(keyHash: string): StreamableHTTPServerTransport {
    const transport = new StreamableHTTPServerTransport({
      maxRequestBodySize: MAX_BODY_BYTES,
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        this.open.set(id, { transport, keyHash, usedAt: this.now() });
        this.closeIdlest(keyHash);
      },
      onsessionclosed: (id) => void this.open.delete(id),
    });
    return transport;
  }

  /** Returns undefined if the session has ended or belongs to another key. */
  find(id: string, keyHash: string): StreamableHTTPServerTransport | undefined {
    const session = this.open.get(id);
    if (session === undefined || session.keyHash !== keyHash) return undefined;
    this.open.delete(id);
    this.open.set(id, { ...session, usedAt: this.now() });
    return session.transport;
  }

  async close(): Promise<void> {
    const all = [...this.open.values()];
    this.open.clear();
    await Promise.all(all.map(({ transport }) => transport.close()));
  }

  private closeIdlest(keyHash: string): void {
    const idleSince = this.now() - IDLE_MS;
    const ofKey = [...this.open].filter(([, session]) => session.keyHash === keyHash);
    const surplus = new Set([
      ...[...this.open].filter(([, { usedAt }]) => usedAt < idleSince),
      ...ofKey.slice(0, Math.max(0, ofKey.length - MAX_PER_KEY)),
      ...[...this.open].slice(0, Math.max(0, this.open.size - MAX)),
    ]);
    for (const [id, { transport }] of surplus) {
      this.open.delete(id);
      void transport.close();
    }
  }
}
