/** Checks one server: where it was found, how the commands will get it, or what the user must do. */
import { errorText } from '../error-text';
import {
  locateTool,
  ToolMissing,
  type FoundTool,
  type Tool,
  type ToolSearch,
  goReachesModules,
} from '../toolchain/find-tool';
import { missingCommand, run } from '../toolchain/run';
import { checkArchive, checkVendor } from '../toolchain/vendor-download';

/** `fault`: the program that the tool's variable points to doesn't run. */
type SearchResult = { found: FoundTool } | { fault: string } | { ways: readonly Way[] };

export async function toolCheck(
  wanted: { tool: Tool; onlyFor: string | null },
  search: Omit<ToolSearch, 'configuredPath' | 'onProgress'>,
  means: Means,
): Promise<Check> {
  return toolFinding(wanted, await searchTool(wanted.tool, search, means));
}

async function searchTool(
  tool: Tool,
  search: Omit<ToolSearch, 'configuredPath' | 'onProgress'>,
  means: Means,
): Promise<SearchResult> {
  try {
    const { found } = await locateTool(tool, {
      ...search,
      configuredPath: search.environment[tool.variable],
    });
    return found === null ? { ways: await waysToGet(tool, means, search.vendorUrl) } : { found };
  } catch (error) {
    if (error instanceof ToolMissing) return { fault: error.tried.join('; ') };
    return { fault: errorText(error) };
  }
}

function toolFinding(
  { tool, onlyFor }: { tool: Pick<Tool, 'program' | 'variable' | 'remedy'>; onlyFor: string | null },
  result: SearchResult,
): Check {
  const line = { group: 'servers', title: tool.program, onlyFor } as const;
  const absent = onlyFor === null ? 'missing' : 'note';
  if ('found' in result) {
    return { ...line, state: 'ok', found: whereFound(result.found), remedy: null };
  }
  if ('fault' in result) {
    const remedy = `set ${tool.variable} to the program, or unset it`;
    return { ...line, state: absent, found: result.fault, remedy };
  }
  const way = result.ways.find(({ fault }) => fault === null);
  if (way !== undefined) {
    return {
      ...line,
      state: 'ok',
      found: `not installed yet; will be obtained on first use: ${way.what}`,
      remedy: null,
    };
  }
  const why = result.ways.map(({ what, fault }) => `${what}: ${fault}`).join('; ');
  const found = why === '' ? 'not found' : `not found, and cannot be obtained (${why})`;
  return { ...line, state: absent, found, remedy: `${tool.remedy}, or set ${tool.variable} to the program` };
}

function whereFound({ version, origin, path }: FoundTool): string {
  const place = origin === 'cache' ? 'in the cache' : origin === 'configured' ? path : `on PATH, ${path}`;
  return `${version.replace(/\s+/g, ' ')}, ${place}`;
}

/** A way to get a server. `fault` says why it doesn't work on this machine; null if it does. */
interface Way {
  /** Shown to the user, such as "building the Temporal CLI with go, about 3 minutes". */
  what: string;
  fault: string | null;
}

/** The version of a command, or why it can't be used. */
type CommandFound = { version: string } | { fault: string };

interface Means {
  command: (name: string) => Promise<CommandFound>;
  /** Returns null if Go can download modules, or the reason why it can't. */
  goModulesFault: () => Promise<string | null>;
}

const VERSION_MS = 10_000;

/** Arguments that make a command print its version, and the pattern that finds it in the output. */
const VERSIONS: Record<string, { args: string[]; pattern: RegExp }> = {
  go: { args: ['version'], pattern: /go(\d+[\w.]*)/ },
  java: { args: ['-version'], pattern: /version "([^"]+)"/ },
  mvn: { args: ['--version'], pattern: /Maven ([\d.]+)/ },
};

export function meansOf(environment: NodeJS.ProcessEnv): Means {
  const commands = new Map<string, Promise<CommandFound>>();
  let goModules: Promise<string | null> | undefined;
  return {
    command(name) {
      const known = commands.get(name) ?? commandFound(name, environment);
      commands.set(name, known);
      return known;
    },
    goModulesFault() {
      goModules ??= faultOf(goReachesModules(environment));
      return goModules;
    },
  };
}

async function commandFound(name: string, environment: NodeJS.ProcessEnv): Promise<CommandFound> {
  const { args, pattern } = VERSIONS[name] ?? { args: ['--version'], pattern: /(\d[\w.]*)/ };
  try {
    const { code, output } = await run({ command: name, args, timeoutMs: VERSION_MS, env: environment });
    const version = pattern.exec(output)?.[1];
    return code === 0 && version !== undefined ? { version } : { fault: `${name} does not run` };
  } catch (error) {
    return { fault: missingCommand(error, name) ?? `${name} does not run` };
  }
}

/** Returns the ways in the order in which `findTool` tries them. */
async function waysToGet(tool: Tool, means: Means, vendorUrl?: string): Promise<Way[]> {
  const { vendorArtifact: artifact, vendorArchive: archive, build } = tool;
  const ways: Promise<Way>[] = [];
  if (artifact !== null) ways.push(download(checkVendor({ artifact, baseUrl: vendorUrl })));
  if (archive) ways.push(download(checkArchive(archive)));
  if (build !== null) {
    ways.push(buildFault(build.commands, means).then((fault) => ({ what: build.title, fault })));
  }
  return Promise.all(ways);
}

const download = async (answers: Promise<void>): Promise<Way> => ({
  what: 'a download',
  fault: await faultOf(answers),
});

async function buildFault(commands: readonly string[], means: Means): Promise<string | null> {
  const found = await Promise.all(commands.map((name) => means.command(name)));
  const faults = found.flatMap((each) => ('fault' in each ? [each.fault] : []));
  if (faults.length > 0) return faults.join(', ');
  return commands.includes('go') ? means.goModulesFault() : null;
}

const faultOf = (work: Promise<void>): Promise<string | null> => work.then(() => null, firstLine);

const firstLine = (error: unknown): string => errorText(error).split('\n', 1)[0] ?? '';

/** A check of the doctor, shown as one line of its report. */
export interface Check {
  /** Section of the report. */
  group: 'machine' | 'packages' | 'servers' | 'ports';
  title: string;
  /** `missing`: one of the README's two commands needs it. `note`: worth knowing, or optional and not installed. */
  state: 'ok' | 'missing' | 'note';
  /** The result, in words. */
  found: string;
  /** Purpose of an optional item; null if both commands need it. */
  onlyFor: string | null;
  /** A command or setting that fixes it; null if nothing needs to be done. */
  remedy: string | null;
}
