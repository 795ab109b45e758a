import { findTool, type FoundTool, type Tool, type ToolSearch } from './find-tool';
import { printedVersion } from './printed-version';

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
