import { errorText } from '../error-text';
import { findTool, type FoundTool, type Tool, type ToolSearch } from './find-tool';
import { livekitSip } from './livekit-sip';
import { sipp } from './sipp';

/**
 * Finds the programs that the suite against the real SIP bridge needs in addition to those of the other tests.
 *
 * @throws Error that names everything missing, each with its remedy
 */
export async function findSipTools(
  search: Omit<ToolSearch, 'configuredPath'>,
): Promise<{ bridge: FoundTool; sipp: FoundTool }> {
  const find = (tool: Tool) =>
    findTool(tool, { ...search, configuredPath: search.environment[tool.variable] });
  const [bridge, phones] = await Promise.allSettled([find(livekitSip), find(sipp)]);
  if (bridge.status === 'fulfilled' && phones.status === 'fulfilled') {
    return { bridge: bridge.value, sipp: phones.value };
  }
  const faults = [bridge, phones].flatMap((each) =>
    each.status === 'rejected' ? [errorText(each.reason)] : [],
  );
  throw new Error(faults.join('\n\n'));
}
