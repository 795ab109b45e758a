/** Runs the operators' command line in this process, with a database, a Temporal that can be unreachable, and a scripted terminal. */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { removeFolder } from '../../../dev/remove-folder';
import { onlyKey } from '../../../db/kernel/secrets-keys';
import { runCommandLine } from '../../../api/admin/command-line';
import type { Terminal } from '../../../api/admin/terminal';
import type { FileStorage } from '../../../runtime/storage/file-storage';
import type { Db } from '../../../db/kernel/connection';
import type { FileMove } from '../../../runtime/storage';
import { folderStorage } from '../../../runtime/storage/folder-storage';
import { EngineDatabase, START } from '../../db/support/engine-database';
import { RecordingTemporal } from './recording-temporal';

export interface Ran {
  status: 0 | 1;
  out: string;
  err: string;
  /** The output parsed as JSON, if `--json` was given. */
  json: any;
}

export interface Typed {
  /** Answers to the questions. Without answers, the terminal isn't interactive. */
  answers?: string[];
  input?: string;
  isStyled?: boolean;
}

export class AdminConsole {
  readonly temporal = new RecordingTemporal();
  /** A test may rotate these keys. */
  secretsKeys = onlyKey(randomBytes(32));
  readonly clock = { time: START, now: () => this.clock.time };
  /** Number of commands that have opened connections. */
  opened = 0;
  questions: string[] = [];
  /** A test may configure a file move. */
  fileMove: FileMove | null = null;

  private constructor(
    readonly engine: EngineDatabase,
    /** Folder of the contact files and recordings. */
    readonly dataDir: string,
    readonly storage: FileStorage,
  ) {}

  static async open(storage?: FileStorage): Promise<AdminConsole> {
    const dataDir = await mkdtemp(join(tmpdir(), 'admin-test-'));
    return new AdminConsole(await EngineDatabase.open(), dataDir, storage ?? folderStorage(dataDir));
  }

  get db(): Db {
    return this.engine.db;
  }

  async close(): Promise<void> {
    await this.engine.close();
    await removeFolder(this.dataDir);
  }

  /** Splits the line at spaces. Pass an array when an argument contains a space. */
  async run(line: string | string[], { answers, input = '', isStyled = false }: Typed = {}): Promise<Ran> {
    const args = typeof line === 'string' ? line.split(' ').filter((word) => word !== '') : line;
    const out: string[] = [];
    const err: string[] = [];
    const left = [...(answers ?? [])];
    this.questions = [];
    const terminal: Terminal = {
      print: (text) => void out.push(text),
      note: (text) => void err.push(text),
      isInteractive: answers !== undefined,
      isStyled,
      readInput: () => Promise.resolve(Buffer.from(input)),
      ask: (question) => {
        this.questions.push(question);
        return Promise.resolve(left.shift() ?? '');
      },
    };
    const status = await runCommandLine(args, { terminal, open: () => this.connections() });
    const text = out.join('\n');
    return {
      status,
      out: text,
      err: err.join('\n'),
      json: args.includes('--json') && text !== '' ? JSON.parse(text) : null,
    };
  }

  /** Runs a command that must succeed and returns its JSON. */
  async json(line: string | string[], typed?: Typed): Promise<any> {
    const args = typeof line === 'string' ? line.split(' ') : line;
    const { status, json, err } = await this.run([...args, '--json'], typed);
    if (status !== 0) throw new Error(err);
    return json;
  }

  async org(name = `Org ${randomUUID()}`): Promise<{ id: string; name: string }> {
    return this.json(['org', 'create', '--name', name]);
  }

  /** Creates a campaign with three contacts and a webhook, within its window. */
  async campaign(campaignName = 'Reminders'): Promise<{ id: string; organizationId: string }> {
    const owner = await this.engine.owner();
    const webhookUrl = 'https://receiver.example.test/hook';
    const id = await this.engine.campaign(owner, { campaignName, webhookUrl });
    return { id, organizationId: owner.organizationId };
  }

  /** Audit entries of an organization, oldest first. */
  async audit(organizationId: string): Promise<any[]> {
    return this.db('audit_log').where({ organization_id: organizationId }).orderBy('id');
  }

  private connections() {
    this.opened += 1;
    return {
      db: this.db,
      secretsKeys: this.secretsKeys,
      clock: this.clock,
      log: pino({ level: 'silent' }),
      storage: this.storage,
      fileMove: this.fileMove,
      ofOperator: null,
      temporal: () => this.temporal,
    };
  }
}
