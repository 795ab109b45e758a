/** Checks which servers are installed, how to get the others, and whether the default ports are free. The checks run concurrently. */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorText } from '../error-text';
import { possibleDataFolders, rejectIfInUse } from '../stack/data-folder';
import { cacheFolder } from '../toolchain/cache-folder';
import { chromium, livekitServer, redisServer } from '../toolchain/media-tools';
import type { Tool } from '../toolchain/find-tool';
import { findPython } from '../toolchain/python-packages';
import { temporalCli, temporalServer, timeSkippingServer } from '../toolchain/temporal-tools';
import { type Check, meansOf, toolCheck } from './tools';
import { freeDisk, diskFinding } from './machine';
import { portChecks } from './ports';
import { openDefaults } from '../../runtime/open-defaults';
import { checkPostgres, checkTemporal } from '../stack/given-servers';
import { checkPackagedPostgres } from '../stack/postgres-binaries';
import { unprivilegedUser } from '../stack/unprivileged-user';

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

export async function serverChecks(here: {
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
    pythonCheck(environment),
    dataFolderCheck(here),
    portChecks(),
  ]);
  return checks.flat().filter((check) => check !== null);
}

const LINE = { group: 'servers', onlyFor: null, remedy: null } as const;

/** Checks the disk of the cache, which is outside the repository. If the folder does not exist yet, checks its nearest existing parent. */
async function cacheCheck(folder: string): Promise<Check> {
  let existing = folder;
  while (!existsSync(existing)) existing = dirname(existing);
  const { state, found, remedy } = diskFinding(await freeDisk(existing), folder);
  return { ...LINE, title: 'cache', state, found, remedy };
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
  const uses = await Promise.allSettled(folders.map(rejectIfInUse));
  const inUse = uses.find((use) => use.status === 'rejected');
  if (inUse === undefined) return null;
  const line = { group: 'ports', title: 'data', onlyFor: null, remedy: null } as const;
  return { ...line, state: 'note', found: errorText(inUse.reason) };
}

async function givenServerChecks(environment: NodeJS.ProcessEnv): Promise<Check[]> {
  const { DATABASE_URL: url, TEMPORAL_ADDRESS: address } = environment;
  const checks = await Promise.all([
    url ? check('DATABASE_URL', checkPostgres(url)) : null,
    address ? check('TEMPORAL_ADDRESS', checkTemporal(address, environment)) : null,
  ]);
  return [...checks.filter((each) => each !== null), ...settingChecks(environment)];
}

/** Warns about permissive defaults if variables name the user's own platform. */
function settingChecks(environment: NodeJS.ProcessEnv): Check[] {
  const { DATABASE_URL, LIVEKIT_URL, NUMBERS, SIP_INBOUND_ADDRESSES } = environment;
  if (!DATABASE_URL && !LIVEKIT_URL) return [];
  const open = openDefaults({
    registeredOnly: NUMBERS === 'registered',
    inboundAddresses: LIVEKIT_URL ? (SIP_INBOUND_ADDRESSES ?? '').split(',').filter(Boolean) : null,
  });
  const line = { ...LINE, state: 'note' } as const;
  return open.map(({ variable, opens, remedy }) => ({ ...line, title: variable, found: opens, remedy }));
}

async function check(variable: string, answers: Promise<void>): Promise<Check> {
  const line = { ...LINE, title: variable };
  return answers.then(
    () => ({ ...line, state: 'ok', found: 'responds; used instead of a local server' }),
    (error: unknown) => ({
      ...line,
      state: 'missing',
      found: errorText(error),
      remedy: `start that server, correct ${variable}, or unset it to use a local server`,
    }),
  );
}

/** Checks the Postgres of the npm packages. */
async function packagedPostgresCheck(): Promise<Check> {
  const line = { ...LINE, title: 'postgres' };
  try {
    const user = await unprivilegedUser();
    const { version, atFirstStart } = await checkPackagedPostgres({ user });
    const as = user === null ? '' : `, will run as the user ${user.name}`;
    const later = atFirstStart === null ? '' : `; on the first start, ${atFirstStart}`;
    return { ...line, state: 'ok', found: `${version} of the packages${as}${later}` };
  } catch (error) {
    // The error message contains the remedy.
    return { ...line, state: 'missing', found: 'the packaged Postgres cannot run', remedy: errorText(error) };
  }
}
