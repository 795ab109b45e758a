/** Steers a custom-LLM server that runs in a process of its own. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export type Manner =
  /** Connections are taken, and told this first. */
  | { kind: 'take'; hello: string[] }
  /** Nothing is answered. */
  | { kind: 'silent' }
  | { kind: 'answer'; status: number; location?: string };

export interface Knock {
  path: string;
  authorization: string | null;
}

export class CustomLlmServer {
  readonly knocks: Knock[] = [];
  /** What was sent to it, as JSON. */
  readonly heard: any[] = [];
  readonly closeCodes: number[] = [];
  private readonly looking = new Set<() => void>();

  private constructor(
    private readonly child: ChildProcess,
    readonly port: number,
  ) {
    child.on('message', (told: any) => {
      if (told.kind === 'knock') this.knocks.push({ path: told.path, authorization: told.authorization });
      if (told.kind === 'heard') this.heard.push(JSON.parse(told.text));
      if (told.kind === 'closed') this.closeCodes.push(told.code);
      const looking = [...this.looking];
      this.looking.clear();
      for (const look of looking) look();
    });
  }

  static async open(): Promise<CustomLlmServer> {
    const child = fork(join(__dirname, 'custom-llm-process.js'), {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const [told] = (await once(child, 'message')) as [{ port: number }];
    return new CustomLlmServer(child, told.port);
  }

  get host(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** Resolves once it holds; looked at with everything that the server tells. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => this.looking.add(resolve));
  }

  /** The n-th question that it was asked, from 1. */
  async asked(n: number): Promise<any> {
    const questions = () => this.heard.filter((one) => one.interaction_type === 'response_required');
    await this.until(() => questions().length >= n);
    return questions()[n - 1];
  }

  receive(manner: Manner): Promise<void> {
    return this.order({ kind: 'manner', manner });
  }

  say(message: object | string): Promise<void> {
    return this.order({ kind: 'say', text: typeof message === 'string' ? message : JSON.stringify(message) });
  }

  sayBinary(text: string): Promise<void> {
    return this.order({ kind: 'sayBinary', text });
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
    return this.order({ kind: 'cut' });
  }

  async close(): Promise<void> {
    this.child.kill('SIGKILL');
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'exit');
  }

  private async order(order: object): Promise<void> {
    const done = new Promise<void>((resolve) => {
      const hear = (told: any): void => {
        if (told.kind !== 'done') return;
        this.child.off('message', hear);
        resolve();
      };
      this.child.on('message', hear);
    });
    this.child.send(order);
    await done;
  }
}
