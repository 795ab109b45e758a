/**
 * Reads spoken conversations from files: a caller's goal, the sentences that the caller says, and the words that each answer must contain.
 */
import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import Joi from 'joi';
import { errorText } from '../../error-text';
import { UsageFault } from '../../options';
import { AGENT_FILE, type ExampleAgent } from '../agents';

interface SpokenTurn {
  says: string;
  /** Each entry must be the beginning of a word in the answer. */
  hears: string[];
}

export interface SpokenConversation {
  title: string;
  agent: ExampleAgent['body'];
  /** The caller's goal, for the report. */
  goal: string;
  /** Words that the agent's greeting must contain. */
  greeting: string[];
  turns: SpokenTurn[];
}

const ENDING = '.spoken.json';

const words = Joi.array().items(Joi.string().lowercase()).min(1);
const FILE = Joi.object<Omit<SpokenConversation, 'agent'> & { agent: string }>({
  title: Joi.string().required(),
  agent: Joi.string().required(),
  goal: Joi.string().required(),
  greeting: words.default([]),
  turns: Joi.array()
    .items(Joi.object({ says: Joi.string().required(), hears: words.required() }))
    .min(1)
    .required(),
});

/**
 * Reads files, and the `.spoken.json` files in folders.
 *
 * @throws UsageFault if a file is missing or invalid
 */
export async function readSpokenConversations(paths: readonly string[]): Promise<SpokenConversation[]> {
  const files = (await Promise.all(paths.map(filesAt))).flat();
  if (files.length === 0) throw new UsageFault(`There is no *${ENDING} file in ${paths.join(', ')}`);
  return Promise.all(files.map(conversationIn));
}

async function filesAt(path: string): Promise<string[]> {
  const about = await stat(path).catch(() => null);
  if (about === null) throw new UsageFault(`${path} does not exist`);
  if (!about.isDirectory()) return [path];
  const names = await readdir(path);
  return names
    .filter((name) => name.endsWith(ENDING))
    .sort()
    .map((name) => join(path, name));
}

async function conversationIn(file: string): Promise<SpokenConversation> {
  const read = FILE.validate(await jsonIn(file));
  if (read.error !== undefined) throw new UsageFault(`${file}: ${read.error.message}`);
  const path = resolve(dirname(file), read.value.agent);
  const agent = AGENT_FILE.validate(await jsonIn(path));
  if (agent.error !== undefined) throw new UsageFault(`${path} is not a valid agent: ${agent.error.message}`);
  return { ...read.value, agent: agent.value };
}

async function jsonIn(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as unknown;
  } catch (cause) {
    throw new UsageFault(`${file} cannot be read: ${errorText(cause)}`, { cause });
  }
}
