import { findTool, type FoundTool, type Tool, type ToolSearch } from './find-tool';
import { run } from './run';

export const chromium: Tool = {
  title: 'Chromium',
  variable: 'CHROMIUM_PATH',
  program: 'chromium',
  cacheName: 'chromium',
  vendorArtifact: null,
  remedy: 'install the package (Debian: apt-get install chromium)',
  buildTitle: '',
  verify: async (path, environment) => {
    const { output } = await run({ command: path, args: ['--version'], timeoutMs: 20_000, env: environment });
    const version = /Chrom\w+ [\d.]+/.exec(output);
    if (version === null) throw new Error(`--version printed ${JSON.stringify(output.slice(0, 80))}`);
    return version[0];
  },
  build: null,
};

/** The browser that tests use the pages in. A package of the system: it is neither downloaded nor built. */
export function findChromium(search: ToolSearch): Promise<FoundTool> {
  return findTool(chromium, search);
}
