import type { Tool } from './find-tool';
import { printedVersion } from './printed-version';

/** Older versions can't send audio from a scenario. */
const OLDEST: readonly number[] = [3, 6];

/** Simulates the phones and the trunk. */
export const sipp: Tool = {
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
