/** Controls a custom LLM server in a separate process. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export type Behaviour =
  /** Accepts connections, and sends `hello` first. */
  | { kind: 'take'; hello: string[] }
  /** Sends no response. */
  | { kind: 'silent' }
  | { kind: 'answer'; status: number; location?: string };

interface ConnectionAttempt {
  path: string;
  authorization: string | null;
}

export class CustomLlmServer {
  private readonly connections: ConnectionAttempt[] = [];
  private readonly messages: any[] = [];
  readonly closeCodes: number[] = [];
  private readonly waiters = new Set<() => void>();

  private constructor(
    private readonly child: ChildProcess,
    readonly port: number,
  ) {
    child.on('message', (message: any) => {
      if (message.kind === 'attempt')
        this.connections.push({ path: message.path, authorization: message.authorization });
      if (message.kind === 'received') this.messages.push(JSON.parse(message.text));
      if (message.kind === 'closed') this.closeCodes.push(message.code);
      const checks = [...this.waiters];
      this.waiters.clear();
      for (const check of checks) check();
    });
  }

  static async open(): Promise<CustomLlmServer> {
    const child = fork(join(__dirname, 'custom-llm-process.js'), {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const [message] = (await once(child, 'message')) as [{ port: number }];
    return new CustomLlmServer(child, message.port);
  }

  get host(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** Resolves once the condition holds. Checks it after every message from the server. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => this.waiters.add(resolve));
  }

  /**
   * Returns all connection attempts so far. It asks the server, because a test can see socket data before this process learns of the
   * attempt.
   */
  async attempts(): Promise<ConnectionAttempt[]> {
    await this.command({ kind: 'report' });
    return this.connections;
  }

  /** Returns the messages that the server has received so far, as JSON. */
  async received(): Promise<any[]> {
    await this.command({ kind: 'report' });
    return this.messages;
  }

  /** Returns the n-th turn request that the server received, counting from 1. */
  asked(n: number): Promise<any> {
    return this.nth(n, (one) => one.interaction_type === 'response_required');
  }

  /** Returns the n-th message of this kind that the server received, counting from 1. */
  async nth(n: number, isOne: (message: any) => boolean): Promise<any> {
    const found = () => this.messages.filter(isOne);
    await this.until(() => found().length >= n);
    return found()[n - 1];
  }

  behave(behaviour: Behaviour): Promise<void> {
    return this.command({ kind: 'behaviour', behaviour });
  }

  say(message: object | string): Promise<void> {
    return this.command({
      kind: 'say',
      text: typeof message === 'string' ? message : JSON.stringify(message),
    });
  }

  sayBinary(text: string): Promise<void> {
    return this.command({ kind: 'sayBinary', text });
  }

  reply(responseId: number, content: string, more: object = {}): Promise<void> {
    return this.say({
      response_type: 'response',
      response_id: responseId,
      content,
      content_complete: false,
      ...more,
    });
  }

  finish(responseId: number, content = '', more: object = {}): Promise<void> {
    return this.reply(responseId, content, { content_complete: true, ...more });
  }

  cut(): Promise<void> {
    return this.command({ kind: 'cut' });
  }

  async close(): Promise<void> {
    this.child.kill('SIGKILL');
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'exit');
  }

  private async command(command: object): Promise<void> {
    const done = new Promise<void>((resolve) => {
      const onMessage = (message: any): void => {
        if (message.kind !== 'done') return;
        this.child.off('message', onMessage);
        resolve();
      };
      this.child.on('message', onMessage);
    });
    this.child.send(command);
    await done;
  }
}
