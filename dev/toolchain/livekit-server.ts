import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { findTool, type FoundTool, type Tool, type ToolSearch } from './find-tool';
import { goInstall } from './go-install';
import { printedVersion } from './printed-version';
import type { VendorArchive } from './vendor-download';

const VERSION = '1.13.5';
const PACKAGE = `github.com/livekit/livekit-server/cmd/server@v${VERSION}`;
const PROGRAM = 'livekit-server';

/** Older versions haven't been tested. */
const OLDEST: readonly number[] = [1, 13];

export const livekitServer: Tool = {
  title: 'the LiveKit server',
  variable: 'LIVEKIT_SERVER_PATH',
  program: PROGRAM,
  cacheName: `livekit-server-${VERSION}`,
  vendorArtifact: null,
  vendorArchive: release(process.platform, process.arch),
  remedy: `install Go, which then builds ${PACKAGE} (macOS: "brew install livekit")`,
  verify: async (path, environment) => {
    const wanted = { pattern: /version (\d+)\.(\d+)\.\d+/, oldest: OLDEST };
    return (await printedVersion(wanted, { path, environment })).whole;
  },
  build: {
    title: 'building the LiveKit server with go, about 2 minutes',
    commands: ['go'],
    into: async (folder, environment) => {
      await goInstall([PACKAGE], { folder, environment });
      await rename(join(folder, 'server'), join(folder, PROGRAM));
    },
  },
};

/** Finds the media server, which handles rooms, participants and webhooks and stores trunks and dispatch rules. */
export function findLivekitServer(search: ToolSearch): Promise<FoundTool> {
  return findTool(livekitServer, search);
}

/** The vendor publishes this archive for Linux only. */
export function release(platform: string, architecture: string): VendorArchive | null {
  const arch = new Map([
    ['x64', 'amd64'],
    ['arm64', 'arm64'],
  ]).get(architecture);
  if (platform !== 'linux' || arch === undefined) return null;
  const file = `livekit_${VERSION}_linux_${arch}.tar.gz`;
  return {
    archiveUrl: `https://github.com/livekit/livekit/releases/download/v${VERSION}/${file}`,
    fileToExtract: PROGRAM,
  };
}
