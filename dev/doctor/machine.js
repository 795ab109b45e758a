// @ts-check
'use strict';
/* Checks of the machine itself, which run before the packages are installed. Plain JavaScript, see installation.js. */
const { execFile } = require('child_process');
const { statfs } = require('fs');
const { availableParallelism, freemem, totalmem } = require('os');

/** @typedef {import('./tools').Check} Check */

const GIB = 1024 ** 3;

/**
 * The demo's processes and Postgres together used 0.72 GiB (proportional set size, Linux, 2 cores, November 2026). The largest process of
 * the preceding build used 0.74 GiB (resident set size).
 */
const DEMO_MEMORY = 1 * GIB;
/**
 * Two suites of the `stack` layer used 1.6 GiB in parallel, including their servers. Each of the two test processes may grow by another 1
 * GB before jest replaces it (jest.config.js).
 */
const TEST_MEMORY = 4 * GIB;
/** node_modules takes 0.7 GB, and the data of a demo and of the tests a few hundred MB. */
const DISK = 2 * GIB;
/** Go's caches took up to 3.2 GiB after a build of Temporal's CLI (November 2026). */
const DISK_FOR_BUILDS = 5 * GIB;
const NPM_MS = 10_000;

/**
 * @param {string} root
 * @returns {Promise<Check[]>}
 */
async function machineChecks(root) {
  const [npm, free] = await Promise.all([npmCheck(), freeDisk(root)]);
  const cores = check('cores', 'ok', String(availableParallelism()));
  return [npm, cores, memoryCheck(memoryOf()), diskFinding(free, root)];
}

/** @returns {Promise<Check>} */
function npmCheck() {
  return new Promise((resolve) => {
    execFile('npm', ['--version'], { timeout: NPM_MS }, (error, stdout) => {
      const remedy = 'install npm; it comes with Node from https://nodejs.org';
      resolve(
        error ? check('npm', 'missing', 'npm does not run', { remedy }) : check('npm', 'ok', stdout.trim()),
      );
    });
  });
}

/** Uses the container's memory limit if it is lower than the machine's. */
function memoryOf() {
  const limit = typeof process.constrainedMemory === 'function' ? process.constrainedMemory() : 0;
  const total = totalmem();
  const isLimited = limit > 0 && limit < total;
  const hasOwn = typeof process.availableMemory === 'function';
  return { total: isLimited ? limit : total, free: hasOwn ? process.availableMemory() : freemem() };
}

/** @param {{ total: number, free: number }} memory in bytes */
function memoryCheck({ total, free }) {
  const found = `${gib(free)} free of ${gib(total)}`;
  if (free < DEMO_MEMORY) {
    const remedy = `close other programs, or give the machine more: npm run demo takes ${gib(DEMO_MEMORY)}`;
    return check('memory', 'missing', found, { remedy });
  }
  if (free < TEST_MEMORY) {
    return check('memory', 'note', found, {
      remedy: `npm test needs ${gib(TEST_MEMORY)} free, or it is slow or fails`,
    });
  }
  return check('memory', 'ok', found);
}

/**
 * @param {number | null} free bytes; null where unknown
 * @param {string} folder
 */
function diskFinding(free, folder) {
  if (free === null) return check('disk', 'note', `cannot read the free space of ${folder}`);
  const found = `${gib(free)} free in ${folder}`;
  if (free < DISK) {
    return check('disk', 'missing', found, { remedy: `free some: the packages and data take ${gib(DISK)}` });
  }
  if (free < DISK_FOR_BUILDS) {
    const remedy = `if servers cannot be downloaded, building them with Go takes ${gib(DISK_FOR_BUILDS)}`;
    return check('disk', 'note', found, { remedy });
  }
  return check('disk', 'ok', found);
}

/** @param {string} folder @returns {Promise<number | null>} */
function freeDisk(folder) {
  return new Promise((resolve) => {
    statfs(folder, (error, stats) => resolve(error ? null : stats.bavail * stats.bsize));
  });
}

/** @param {number} bytes */
const gib = (bytes) => `${(bytes / GIB).toFixed(1)} GiB`;

/**
 * @param {string} title
 * @param {Check['state']} state
 * @param {string} found
 * @param {{ remedy?: string }} [more]
 * @returns {Check}
 */
function check(title, state, found, { remedy } = {}) {
  return { group: 'machine', title, state, found, onlyFor: null, remedy: remedy || null };
}

module.exports = { diskFinding, freeDisk, machineChecks };
