import { errorText } from '../error-text';
import { findTool, type FoundTool, type Tool, type ToolSearch } from './find-tool';
import { printedVersion } from './printed-version';

/**
 * Finds the additional programs for the suite against the real SIP bridge.
 *
 * @throws Error that lists everything missing with its remedy
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

/** Older versions can't send audio from a scenario. */
const OLDEST: readonly number[] = [3, 6];

/** Simulates the phones and the trunk. */
const sipp: Tool = {
  title: 'SIPp',
  variable: 'SIPP_PATH',
  program: 'sipp',
  cacheName: 'sipp',
  vendorArtifact: null,
  remedy: 'install the package (Debian: apt-get install sip-tester)',
  verify: async (path, environment) => {
    const wanted = { pattern: /SIPp v(\d+)\.(\d+)\.\d+/, oldest: OLDEST, argument: '-v' };
    return (await printedVersion(wanted, { path, environment })).found;
  },
  build: null,
};

/** LiveKit releases this program only as a container image, so it can't be downloaded or built with `go install`. */
export const livekitSip: Tool = {
  title: "LiveKit's SIP bridge",
  variable: 'LIVEKIT_SIP_PATH',
  program: 'livekit-sip',
  cacheName: 'livekit-sip',
  vendorArtifact: null,
  remedy:
    'build it from https://github.com/livekit/sip (Go; Debian: apt-get install pkg-config libopus-dev libopusfile-dev libsoxr-dev; ' +
    '"CGO_ENABLED=1 go build ./cmd/livekit-sip", about 5 minutes)',
  verify: async (path, environment) =>
    (await printedVersion({ pattern: /SIP version [\w.-]+/ }, { path, environment })).found,
  build: null,
};
