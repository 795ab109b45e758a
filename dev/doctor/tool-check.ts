/** Checks one server: where it was found, how the commands will get it, or what the user must do. */
import { errorText } from '../error-text';
import { locateTool, ToolMissing, type FoundTool, type Tool, type ToolSearch } from '../toolchain/find-tool';
import type { Check } from './check';
import { waysToGet, type Means, type Way } from './means';

/** `fault`: the program that the tool's variable points to doesn't run. */
export type Looked = { found: FoundTool } | { fault: string } | { ways: readonly Way[] };

export async function toolCheck(
  wanted: { tool: Tool; onlyFor: string | null },
  search: Omit<ToolSearch, 'configuredPath' | 'onProgress'>,
  means: Means,
): Promise<Check> {
  return toolFinding(wanted, await look(wanted.tool, search, means));
}

async function look(
  tool: Tool,
  search: Omit<ToolSearch, 'configuredPath' | 'onProgress'>,
  means: Means,
): Promise<Looked> {
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

export function toolFinding(
  { tool, onlyFor }: { tool: Pick<Tool, 'program' | 'variable' | 'remedy'>; onlyFor: string | null },
  looked: Looked,
): Check {
  const line = { group: 'servers', title: tool.program, onlyFor } as const;
  const absent = onlyFor === null ? 'missing' : 'note';
  if ('found' in looked) {
    return { ...line, state: 'ok', found: whereFound(looked.found), remedy: null };
  }
  if ('fault' in looked) {
    const remedy = `set ${tool.variable} to the program, or unset it`;
    return { ...line, state: absent, found: looked.fault, remedy };
  }
  const way = looked.ways.find(({ fault }) => fault === null);
  if (way !== undefined) {
    return {
      ...line,
      state: 'ok',
      found: `not installed yet; will be obtained on first use: ${way.what}`,
      remedy: null,
    };
  }
  const why = looked.ways.map(({ what, fault }) => `${what}: ${fault}`).join('; ');
  const found = why === '' ? 'not found' : `not found, and cannot be obtained (${why})`;
  return { ...line, state: absent, found, remedy: `${tool.remedy}, or set ${tool.variable} to the program` };
}

function whereFound({ version, origin, path }: FoundTool): string {
  const place = origin === 'cache' ? 'in the cache' : origin === 'configured' ? path : `on PATH, ${path}`;
  return `${version.replace(/\s+/g, ' ')}, ${place}`;
}
