/** Finds scripted conversations: a file, or the files of a folder that end in `.conversation.json`. */
import { readdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { readAgent, readJsonFile, UserFault, type LoadedAgent } from '../loaded-agent';
import { readConversations, type ScriptedConversation } from './format';

const ENDING = '.conversation.json';

export interface ConversationFile {
  path: string;
  conversations: { script: ScriptedConversation; agent: LoadedAgent }[];
}

/** Throws a `UserFault` for a file that cannot be read, and when there are no files at all. */
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
