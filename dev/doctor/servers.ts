/** Checks which servers are installed, how to get the others, and whether the default ports are free. The checks run concurrently. */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorText } from '../error-text';
import { possibleDataFolders } from '../stack/data-folder';
import { refuseIfInUse } from '../stack/left-over';
import { cacheFolder } from '../toolchain/cache-folder';
import { chromium } from '../toolchain/chromium';
import type { Tool } from '../toolchain/find-tool';
import { livekitServer } from '../toolchain/livekit-server';
import { findPython } from '../toolchain/python';
import { redisServer } from '../toolchain/redis-server';
import { temporalCli } from '../toolchain/temporal-cli';
import { temporalServer } from '../toolchain/temporal-server';
import { timeSkippingServer } from '../toolchain/time-skipping-server';
import { VENDOR_URL } from '../toolchain/vendor-download';
import type { Check } from './check';
import { givenServerChecks } from './given-server-checks';
import { freeDisk, diskFinding } from './machine';
import { meansOf, waysToGet, type Means } from './means';
import { portChecks } from './port-checks';
import { packagedPostgresCheck } from './postgres-check';
import { toolCheck } from './tool-check';

const ROOMS = 'npm run talk, calls over LiveKit and tests of them';
const PHONES = 'phone calls over LiveKit: npm start -- --livekit, and tests of them';
const SPEECH = 'npm run talk and test:agents --spoken';

const TOOLS: readonly { tool: Tool; onlyFor: string | null }[] = [
  { tool: temporalCli, onlyFor: null },
  { tool: timeSkippingServer, onlyFor: null },
  { tool: livekitServer, onlyFor: ROOMS },
  { tool: redisServer, onlyFor: PHONES },
  { tool: chromium, onlyFor: 'npm run talk -- --exit and tests of the pages in a browser' },
  { tool: temporalServer, onlyFor: 'npm run bench' },
];

export async function lookAround(here: {
  repository: string;
  environment: NodeJS.ProcessEnv;
}): Promise<Check[]> {
  const { environment } = here;
  const means = meansOf(environment);
  const search = { environment, cacheFolder: cacheFolder(environment) };
  const checks = await Promise.all<(Check | null)[] | Check | null>([
    packagedPostgresCheck(),
    givenServerChecks(environment),
    ...TOOLS.map((wanted) => toolCheck(wanted, search, means)),
    cacheCheck(search.cacheFolder),
    downloadCheck(),
    goCheck(means),
    commandCheck('java', TEST_SERVER, means),
    commandCheck('mvn', TEST_SERVER, means),
    pythonCheck(environment),
    dataFolderCheck(here),
    portChecks(),
  ]);
  return checks.flat().filter((check) => check !== null);
}

const LINE = { group: 'servers', onlyFor: null, remedy: null } as const;
const BUILDS = 'building servers that cannot be downloaded';
const TEST_SERVER = `getting ${timeSkippingServer.program} where it cannot be downloaded`;

/**
 * The cache is outside the repository and may be on another disk. If the folder doesn't exist yet, its nearest existing parent is checked.
 */
async function cacheCheck(folder: string): Promise<Check> {
  let existing = folder;
  while (!existsSync(existing)) existing = dirname(existing);
  const { state, found, remedy } = diskFinding(await freeDisk(existing), folder);
  return { ...LINE, title: 'cache', state, found, remedy };
}

/** Checks whether the host of Temporal's servers is reachable. If it isn't, the servers are built locally. */
async function downloadCheck(): Promise<Check> {
  const line = { ...LINE, title: 'downloads' };
  const { host } = new URL(VENDOR_URL);
  const [way] = await waysToGet({ ...temporalCli, build: null }, meansOf({}));
  if (way?.fault === null) return { ...line, state: 'ok', found: `${host} answers` };
  return {
    ...line,
    state: 'note',
    found: `${host} cannot be reached; missing servers will be built instead`,
  };
}

async function goCheck(means: Means): Promise<Check> {
  const check = await commandCheck('go', BUILDS, means);
  if (check.state !== 'ok') return check;
  const fault = await means.goModulesFault();
  if (fault === null) return { ...check, found: `${check.found}, reaches its modules` };
  const remedy = 'see "go env GOPROXY", and HTTPS_PROXY behind a proxy';
  return { ...check, state: 'note', found: `${check.found}, does not reach its modules: ${fault}`, remedy };
}

/** A missing command is only a note here. The check of the server that needs it reports whether it is missing. */
async function commandCheck(name: string, onlyFor: string, means: Means): Promise<Check> {
  const found = await means.command(name);
  const line = { ...LINE, title: name, onlyFor };
  return 'fault' in found
    ? { ...line, state: 'note', found: found.fault }
    : { ...line, state: 'ok', found: found.version };
}

async function pythonCheck(environment: NodeJS.ProcessEnv): Promise<Check> {
  const line = { ...LINE, title: 'python3', onlyFor: SPEECH };
  try {
    const { version, path } = await findPython(environment, SPEECH);
    return { ...line, state: 'ok', found: `${version}, ${path}` };
  } catch (error) {
    const [found = '', remedy = null] = errorText(error).split('\n');
    return { ...line, state: 'note', found, remedy };
  }
}

/** Returns null unless a platform is using this repository's data. */
async function dataFolderCheck({
  repository,
  environment,
}: {
  repository: string;
  environment: NodeJS.ProcessEnv;
}): Promise<Check | null> {
  const folders = possibleDataFolders({ repository, configured: environment.DATA_DIR });
  const uses = await Promise.allSettled(folders.map(refuseIfInUse));
  const inUse = uses.find((use) => use.status === 'rejected');
  if (inUse === undefined) return null;
  const line = { group: 'ports', title: 'data', onlyFor: null, remedy: null } as const;
  return { ...line, state: 'note', found: errorText(inUse.reason) };
}
