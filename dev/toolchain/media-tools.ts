/** The programs for calls over LiveKit and for pages in a browser. Versions older than `oldest` haven't been tested. */
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { findTool, type FoundTool, type Tool, type ToolSearch, goInstall, printedVersion } from './find-tool';
import type { VendorArchive } from './vendor-download';
import { errorText } from '../error-text';

const LIVEKIT_VERSION = '1.13.5';
const PACKAGE = `github.com/livekit/livekit-server/cmd/server@v${LIVEKIT_VERSION}`;

export const livekitServer: Tool = {
  title: 'the LiveKit server',
  variable: 'LIVEKIT_SERVER_PATH',
  program: 'livekit-server',
  cacheName: `livekit-server-${LIVEKIT_VERSION}`,
  vendorArtifact: null,
  vendorArchive: release(process.platform, process.arch),
  remedy: `install Go, which then builds ${PACKAGE} (macOS: "brew install livekit")`,
  verify: async (path, environment) => {
    const wanted = { pattern: /version (\d+)\.(\d+)\.\d+/, oldest: [1, 13] };
    return (await printedVersion(wanted, { path, environment })).whole;
  },
  build: {
    title: 'building the LiveKit server with go, about 2 minutes',
    commands: ['go'],
    into: async (folder, environment) => {
      await goInstall([PACKAGE], { folder, environment });
      await rename(join(folder, 'server'), join(folder, 'livekit-server'));
    },
  },
};

/** Finds the media server, which handles rooms, participants and webhooks and stores trunks and dispatch rules. */
export function findLivekitServer(search: ToolSearch): Promise<FoundTool> {
  return findTool(livekitServer, search);
}

/** The vendor publishes this archive for Linux only. */
function release(platform: string, architecture: string): VendorArchive | null {
  const arch = new Map([
    ['x64', 'amd64'],
    ['arm64', 'arm64'],
  ]).get(architecture);
  if (platform !== 'linux' || arch === undefined) return null;
  const file = `livekit_${LIVEKIT_VERSION}_linux_${arch}.tar.gz`;
  return {
    archiveUrl: `https://github.com/livekit/livekit/releases/download/v${LIVEKIT_VERSION}/${file}`,
    fileToExtract: 'livekit-server',
  };
}

export const redisServer: Tool = {
  title: 'the Redis server',
  variable: 'REDIS_SERVER_PATH',
  program: 'redis-server',
  cacheName: 'redis-server',
  vendorArtifact: null,
  remedy: 'install the package (Debian: apt-get install redis-server; macOS: brew install redis)',
  verify: async (path, environment) => {
    // Valkey, which replaces Redis in newer systems, prints the same text.
    const wanted = { pattern: /server v=(\d+)\.[\d.]+/, oldest: [5] };
    return (await printedVersion(wanted, { path, environment })).found;
  },
  build: null,
};

/**
 * Finds the store for LiveKit's trunks and dispatch rules. It must be installed as a system package; this neither downloads nor builds it.
 */
export function findRedisServer(search: ToolSearch): Promise<FoundTool> {
  return findTool(redisServer, search);
}

export const chromium: Tool = {
  title: 'Chromium',
  variable: 'CHROMIUM_PATH',
  program: 'chromium',
  cacheName: 'chromium',
  vendorArtifact: null,
  remedy: 'install the package (Debian: apt-get install chromium)',
  verify: async (path, environment) =>
    (await printedVersion({ pattern: /Chrom\w+ [\d.]+/ }, { path, environment })).found,
  build: null,
};

/** Finds the browser for page tests. Chromium must be installed as a system package; this neither downloads nor builds it. */
export function findChromium(search: ToolSearch): Promise<FoundTool> {
  return findTool(chromium, search);
}

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

/** Simulates the phones and the trunk. */
const sipp: Tool = {
  title: 'SIPp',
  variable: 'SIPP_PATH',
  program: 'sipp',
  cacheName: 'sipp',
  vendorArtifact: null,
  remedy: 'install the package (Debian: apt-get install sip-tester)',
  verify: async (path, environment) => {
    // Older versions can't send audio from a scenario.
    const wanted = { pattern: /SIPp v(\d+)\.(\d+)\.\d+/, oldest: [3, 6], argument: '-v' };
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
