/**
 * Reads the files of scripted conversations. Reports every error in a file, because a misspelt expectation would otherwise always pass.
 */
import { readdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { isJsonObject, valueAt, type JsonObject } from '../../../domain/json';
import { UserFault, readAgent, readJsonFile, type LoadedAgent } from '../loaded-agent';
import { readExpectations, type Expectations } from './expectations';
import type { ScriptedReply } from './model';

export interface ScriptedConversation {
  title: string;
  /** A path relative to the conversation's file, or the agent itself. */
  agent: string | JsonObject;
  variables: JsonObject;
  /** `scripted` uses the replies in the file, `real` the agent's own model. */
  model: 'scripted' | 'real';
  /** The agent's current time. Null for the system clock. */
  now: Date | null;
  /** Responses to the requests of actions. `real` sends the requests. */
  http: readonly HttpAnswer[] | 'real';
  /** True if transfers succeed. */
  transfers: boolean;
  turns: Turn[];
}

export interface HttpAnswer {
  /** Null for any method. */
  method: string | null;
  url: string;
  status: number;
  /** A string is used unchanged. Any other value is converted to JSON. */
  body: unknown;
}

export interface Turn {
  /** Null in the turn that contains the agent's greeting. */
  user: string | null;
  replies: ScriptedReply[];
  expect: Expectations;
}

const KEYS = ['title', 'agent', 'variables', 'model', 'now', 'http', 'transfers', 'turns'];
const ENDING = '.conversation.json';

/** Reads one conversation or a list of them. Throws a `UserFault` that lists all errors in the file. */
export function readConversations(value: unknown, file: string): ScriptedConversation[] {
  const all: unknown[] = Array.isArray(value) ? value : [value];
  const faults: string[] = [];
  const conversations = all.map((one, at) => {
    const reading = new FileReader(all.length === 1 ? '' : `[${at}].`, faults);
    return reading.conversation(one, file);
  });
  if (all.length === 0) faults.push('the file contains no conversation');
  if (faults.length > 0) throw new UserFault(`${file}:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  return conversations;
}

class FileReader {
  constructor(
    private readonly path: string,
    private readonly faults: string[],
  ) {}

  conversation(value: unknown, file: string): ScriptedConversation {
    const item = isJsonObject(value) ? value : {};
    if (!isJsonObject(value)) this.fault('', 'must be an object');
    this.onlyKeys('', item, KEYS);
    const { title, agent, variables = {}, model = 'scripted', now = null, transfers = true } = item;
    if (typeof agent !== 'string' && !isJsonObject(agent)) this.fault('agent', 'must be a path or an agent');
    if (!isJsonObject(variables)) this.fault('variables', 'must be an object');
    if (model !== 'scripted' && model !== 'real') this.fault('model', 'must be "scripted" or "real"');
    const instant = typeof now === 'string' ? new Date(now) : null;
    if (now !== null && Number.isNaN(instant?.getTime() ?? Number.NaN)) this.fault('now', 'must be a time');
    return {
      title: typeof title === 'string' && title !== '' ? title : file,
      agent: typeof agent === 'string' || isJsonObject(agent) ? agent : {},
      variables: isJsonObject(variables) ? variables : {},
      model: model === 'real' ? 'real' : 'scripted',
      now: instant,
      http:
        item.http === 'real'
          ? 'real'
          : this.list('http', item.http ?? []).map((one, at) => this.answer(one, at)),
      transfers: transfers === true,
      turns: this.turns(item.turns, model === 'real'),
    };
  }

  private turns(value: unknown, isReal: boolean): Turn[] {
    const turns = this.list('turns', value);
    if (turns.length === 0) this.fault('turns', 'must not be empty');
    return turns.map((turn, at) => {
      const path = `turns[${at}]`;
      if (!isJsonObject(turn)) this.fault(path, 'must be an object');
      this.onlyKeys(`${path}.`, turn, ['user', 'replies', 'expect']);
      const user = valueAt(turn, 'user') ?? null;
      if (user !== null && typeof user !== 'string') this.fault(`${path}.user`, 'must be a string');
      if (user === null && at > 0) this.fault(`${path}.user`, 'is required: only the first turn can omit it');
      const replies = this.list(`${path}.replies`, valueAt(turn, 'replies') ?? []);
      if (isReal && replies.length > 0)
        this.fault(`${path}.replies`, 'is only allowed with the scripted model');
      const expect = readExpectations(valueAt(turn, 'expect') ?? {});
      for (const fault of expect.faults) this.fault(`${path}.expect.${fault.key}`, fault.why);
      return {
        user: typeof user === 'string' ? user : null,
        replies: replies.map((reply, index) => this.reply(`${path}.replies[${index}]`, reply)),
        expect: expect.expectations,
      };
    });
  }

  private reply(path: string, value: unknown): ScriptedReply {
    if (typeof value === 'string') return { text: value };
    this.onlyKeys(`${path}.`, value, ['text', 'tools']);
    const text = valueAt(value, 'text') ?? '';
    if (typeof text !== 'string' || !isJsonObject(value))
      this.fault(path, 'must be a string or a reply object');
    const tools = this.list(`${path}.tools`, valueAt(value, 'tools') ?? []).map((tool, at) => {
      const name = valueAt(tool, 'name');
      const args = valueAt(tool, 'arguments') ?? {};
      this.onlyKeys(`${path}.tools[${at}].`, tool, ['name', 'arguments']);
      if (typeof name !== 'string' || name === '')
        this.fault(`${path}.tools[${at}].name`, 'must be a string');
      if (!isJsonObject(args)) this.fault(`${path}.tools[${at}].arguments`, 'must be an object');
      return { name: typeof name === 'string' ? name : '', arguments: isJsonObject(args) ? args : {} };
    });
    return { text: typeof text === 'string' ? text : '', tools };
  }

  private answer(value: unknown, at: number): HttpAnswer {
    const path = `http[${at}]`;
    this.onlyKeys(`${path}.`, value, ['method', 'url', 'status', 'body']);
    const method = valueAt(value, 'method') ?? null;
    const url = valueAt(value, 'url');
    const status = valueAt(value, 'status') ?? 200;
    if (typeof url !== 'string') this.fault(`${path}.url`, 'must be a string');
    if (typeof status !== 'number') this.fault(`${path}.status`, 'must be a number');
    return {
      method: typeof method === 'string' ? method.toUpperCase() : null,
      url: typeof url === 'string' ? url : '',
      status: typeof status === 'number' ? status : 200,
      body: valueAt(value, 'body') ?? '',
    };
  }

  private list(path: string, value: unknown): unknown[] {
    if (Array.isArray(value)) return value;
    this.fault(path, 'must be a list');
    return [];
  }

  private onlyKeys(path: string, value: unknown, known: readonly string[]): void {
    for (const key of isJsonObject(value) ? Object.keys(value) : [])
      if (!known.includes(key)) this.fault(`${path}${key}`, 'is unknown');
  }

  private fault(path: string, why: string): void {
    this.faults.push(`${this.path}${path} ${why}`.trim());
  }
}

export interface ConversationFile {
  path: string;
  conversations: { script: ScriptedConversation; agent: LoadedAgent }[];
}

/**
 * Finds scripted conversations in the args files, and in files of the args folders that end in `.conversation.json`. Throws a `UserFault`
 * when a file can't be read or there are no files at all.
 */
export async function conversationFiles(paths: readonly string[]): Promise<ConversationFile[]> {
  const found = await Promise.all(paths.map(filesUnder));
  const files = [...new Set(found.flat())];
  if (files.length === 0) throw new UserFault(`no ${ENDING} in ${paths.join(', ')}`);
  return Promise.all(files.map(conversationFile));
}

async function filesUnder(path: string): Promise<string[]> {
  const about = await stat(path).catch(() => null);
  if (about === null) throw new UserFault(`${path} does not exist`);
  if (!about.isDirectory()) return [path];
  const names = await readdir(path, { recursive: true });
  return names
    .filter((name) => name.endsWith(ENDING) && !name.includes('node_modules'))
    .sort()
    .map((name) => join(path, name));
}

async function conversationFile(path: string): Promise<ConversationFile> {
  const scripts = readConversations(await readJsonFile(path), path);
  const conversations = await Promise.all(
    scripts.map(async (script) => ({ script, agent: await agentOf(script, path) })),
  );
  return { path, conversations };
}

async function agentOf({ agent, title }: ScriptedConversation, path: string): Promise<LoadedAgent> {
  if (typeof agent !== 'string') return readAgent(agent, title);
  const file = resolve(dirname(path), agent);
  return readAgent(await readJsonFile(file), agent);
}
