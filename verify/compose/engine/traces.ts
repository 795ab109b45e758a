/** Records the state that an engine changes outside its folders, and restores it after the engine has stopped. */
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { removeFolder } from '../../../dev/remove-folder';
import { run, runOrFail } from '../../../dev/toolchain/run';
import { isJsonObject } from '../../../domain/json';

/** Parses netfilter rules that `iptables-save` prints, and computes how to return to an earlier state. */

interface Table {
  /** Policy of each built-in chain, or `-` for other chains. */
  chains: Map<string, string>;
  rules: string[];
}

/**
 * Returns arguments for `iptables` that remove what was added between two outputs of `iptables-save`. Keeps rules that are in both, even if
 * another program has changed them in between.
 */
function wayBack(before: string, after: string): string[][] {
  const earlier = tablesIn(before);
  return [...tablesIn(after)].flatMap(([name, now]) => {
    const was = earlier.get(name) ?? { chains: new Map<string, string>(), rules: [] };
    const made = [...now.chains.keys()].filter((chain) => !was.chains.has(chain) && isOwn(now, chain));
    const rules = surplus(now.rules, was.rules).filter((rule) => !made.includes(chainOf(rule)));
    const policies = [...now.chains].filter(
      ([chain, policy]) => policy !== (was.chains.get(chain) ?? 'ACCEPT'),
    );
    return [
      ...rules.map((rule) => ['-t', name, ...wordsOf(rule.replace(/^-A/, '-D'))]),
      ...made.map((chain) => ['-t', name, '-F', chain]),
      ...made.map((chain) => ['-t', name, '-X', chain]),
      ...policies
        .filter(([chain]) => !isOwn(now, chain))
        .map(([chain]) => ['-t', name, '-P', chain, was.chains.get(chain) ?? 'ACCEPT']),
    ];
  });
}

/** Only built-in chains have a policy. */
const isOwn = ({ chains }: Table, chain: string): boolean => chains.get(chain) === '-';

const chainOf = (rule: string): string => rule.split(' ')[1] ?? '';

/** Returns the rules that occur more often in `now` than in `was`. */
function surplus(now: readonly string[], was: readonly string[]): string[] {
  const known = [...was];
  return now.filter((rule) => {
    const at = known.indexOf(rule);
    if (at !== -1) known.splice(at, 1);
    return at === -1;
  });
}

function tablesIn(saved: string): Map<string, Table> {
  const tables = new Map<string, Table>();
  let table: Table = { chains: new Map(), rules: [] };
  for (const line of saved.split('\n')) {
    const [, chain, policy] = /^:(\S+) (\S+)/.exec(line) ?? [];
    if (line.startsWith('*')) tables.set(line.slice(1), (table = { chains: new Map(), rules: [] }));
    else if (chain !== undefined && policy !== undefined) table.chains.set(chain, policy);
    else if (line.startsWith('-A ')) table.rules.push(line);
  }
  return tables;
}

const wordsOf = (rule: string): string[] =>
  [...rule.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');

export interface Before {
  /** Output of `iptables-save` and `ip6tables-save`, by program name without `-save`. */
  rules: Record<string, string>;
  /** Contents of settings files, by name. */
  settings: Record<string, string>;
  links: string[];
  /** The engine's folders that already existed. */
  folders: string[];
}

const PROGRAMS = ['iptables', 'ip6tables'];
const SETTINGS = [
  '/proc/sys/net/ipv4/ip_forward',
  '/proc/sys/net/ipv6/conf/all/forwarding',
  '/proc/sys/net/ipv6/conf/default/forwarding',
  '/proc/sys/net/bridge/bridge-nf-call-iptables',
  '/proc/sys/net/bridge/bridge-nf-call-ip6tables',
];
/** containerd and the engine create these folders wherever their data is stored. */
const FOLDERS = ['/run/containerd', '/opt/containerd', '/run/docker'];
const LINKS = '/sys/class/net';
const LINK_OF_ENGINE = /^(?:docker0|br-[0-9a-f]{12}|veth[0-9a-f]{7})$/;
const COMMAND_MS = 30_000;

export async function noteTraces(environment: NodeJS.ProcessEnv): Promise<Before> {
  const rules = await Promise.all(
    PROGRAMS.map(async (program) => [program, await savedRules(program, environment)] as const),
  );
  const settings = await Promise.all(
    SETTINGS.filter((file) => existsSync(file)).map(
      async (file) => [file, await readFile(file, 'utf8')] as const,
    ),
  );
  return {
    rules: Object.fromEntries(rules),
    settings: Object.fromEntries(settings),
    links: await readdir(LINKS),
    folders: FOLDERS.filter((folder) => existsSync(folder)),
  };
}

/** Restores the state `before` and unmounts everything in the engine's `folders`. Can be called repeatedly. */
export async function undoTraces(
  before: Before,
  { environment, folders }: { environment: NodeJS.ProcessEnv; folders: readonly string[] },
): Promise<void> {
  for (const place of await mountsBelow(folders)) await command('umount', ['--lazy', place], environment);
  for (const link of await readdir(LINKS)) {
    if (LINK_OF_ENGINE.test(link) && !before.links.includes(link)) {
      // Deleting one end of a virtual link deletes the other.
      if (existsSync(`${LINKS}/${link}`)) await command('ip', ['link', 'delete', link], environment);
    }
  }
  for (const program of PROGRAMS) {
    const now = await savedRules(program, environment);
    for (const args of wayBack(before.rules[program] ?? '', now)) await command(program, args, environment);
  }
  for (const [file, content] of Object.entries(before.settings)) {
    if ((await readFile(file, 'utf8')) !== content) await writeFile(file, content);
  }
  const made = FOLDERS.filter((folder) => !before.folders.includes(folder));
  await Promise.all(made.map(removeFolder));
}

export async function readBefore(file: string): Promise<Before | null> {
  const text = await readFile(file, 'utf8').catch(() => null);
  const read: unknown = text === null ? null : JSON.parse(text);
  return isBefore(read) ? read : null;
}

/** Root wrote this file with `writeBefore`, so a shallow check is enough. */
const isBefore = (read: unknown): read is Before => isJsonObject(read) && 'rules' in read;

export const writeBefore = (file: string, before: Before): Promise<void> =>
  writeFile(file, JSON.stringify(before), { mode: 0o600 });

export const forgetBefore = (file: string): Promise<void> => rm(file, { force: true });

async function savedRules(program: string, environment: NodeJS.ProcessEnv): Promise<string> {
  const lines: string[] = [];
  const options = { command: `${program}-save`, args: [], timeoutMs: COMMAND_MS, env: environment };
  const { code } = await run({ ...options, onLine: (line) => lines.push(line) });
  if (code !== 0) throw new Error(`${program}-save ended with status ${code}`);
  return lines.join('\n');
}

const command = (name: string, args: string[], env: NodeJS.ProcessEnv): Promise<string> =>
  runOrFail({ command: name, args, timeoutMs: COMMAND_MS, env });

/** Returns the innermost mounts first. */
async function mountsBelow(folders: readonly string[]): Promise<string[]> {
  const text = await readFile('/proc/self/mounts', 'utf8');
  const places = text.split('\n').map((line) => line.split(' ')[1] ?? '');
  return places.filter((place) => folders.some((folder) => place.startsWith(`${folder}/`))).reverse();
}
