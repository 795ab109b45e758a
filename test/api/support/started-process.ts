/** Starts a built process in the same way as an operator. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

const DIST = join(__dirname, '..', '..', '..', 'dist', 'api');

/** The minimal environment of the API. Nothing listens at its Temporal address. */
export const environmentFor = (databaseUrl: string): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  PORT: '0',
  HOST: '127.0.0.1',
  DATABASE_URL: databaseUrl,
  TEMPORAL_ADDRESS: '127.0.0.1:1',
  SECRETS_KEY: Buffer.alloc(32, 1).toString('base64'),
  CARRIER_SECRET: 'a-secret-of-the-carrier',
});

export class Started {
  output = '';
  /** Exit status, or null if a signal ended the process. */
  readonly end: Promise<number | null>;

  constructor(readonly child: ChildProcess) {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    }
    // Waits for `exit` and the ends of both pipes, because a child whose IPC channel was closed never emits `close`.
    this.end = Promise.all([once(child, 'exit'), ...[child.stdout, child.stderr].map(ended)]).then(
      ([[code]]) => code as number | null,
    );
  }

  /** The port that the process logged. */
  async port(): Promise<number> {
    for (;;) {
      const port = /"port":(\d+)/.exec(this.output)?.[1];
      if (port !== undefined) return Number(port);
      if (this.child.exitCode !== null) throw new Error(this.output);
      await Promise.race([once(this.child.stdout ?? this.child, 'data'), this.end]);
    }
  }
}

const ended = async (stream: Readable | null): Promise<void> => {
  if (stream !== null) await once(stream, 'end');
};

/** `file` is relative to the built `api` folder. */
export function startBuilt(file: string, args: string[], env: NodeJS.ProcessEnv): Started {
  const child = spawn(process.execPath, [join(DIST, file), ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  return new Started(child);
}
