// @ts-check
'use strict';
/*
 * `npm run doctor`: checks what the platform needs on this machine and says how to get the rest, without changing anything. It runs
 * before `npm ci` and on old versions of Node, so it is plain JavaScript that Node 16 parses; the checks in TypeScript (servers, ports)
 * only run once the packages are installed.
 */
const { join } = require('path');
const {
  isNewEnough,
  nodeRemedy,
  packageCount,
  packagesFault,
  REMEDY,
  wantedNode,
} = require('./installation');
const { isReady, jsonOf, textOf } = require('./report');

/** @typedef {import('./check').Check} Check */

const ROOT = join(__dirname, '..', '..');

const HELP = `Usage: npm run doctor [-- --json]

Checks this machine for what the platform needs, one line each, and says how to fix what is missing: Node, memory, disk,
npm's registry, packages, servers (found, or how to get them), ports. It doesn't install, download or build anything.

  --json   print one JSON document: {"ready", "checks": [{"group", "title", "state", "found", "onlyFor", "remedy"}]}
  --help   show this help

Exits with status 0 if "npm ci && npm run demo" and "npm ci && npm test" can work, 1 if something they need is missing,
2 for an unknown option.`;

/** @returns {Promise<number>} the exit status */
async function main() {
  const args = process.argv.slice(2);
  const unknown = args.find((word) => !['--json', '--help', '-h'].includes(word));
  if (unknown !== undefined) {
    console.error(`Unknown option "${unknown}": see "npm run doctor -- --help"`);
    return 2;
  }
  if (args.includes('--help') || args.includes('-h')) {
    console.log(HELP);
    return 0;
  }
  const checks = await look();
  const { stdout, env } = process;
  const isColoured = stdout.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';
  const columns = stdout.columns || 120;
  console.log(args.includes('--json') ? jsonOf(checks) : textOf(checks, { columns, isColoured }));
  return isReady(checks) ? 0 : 1;
}

/** @returns {Promise<Check[]>} */
async function look() {
  const wanted = wantedNode(ROOT);
  const { node } = process.versions;
  if (!isNewEnough(node, wanted)) {
    const found = `${node} is too old; the other checks need a newer one`;
    return [{ ...LINE, title: 'Node', state: 'missing', found, remedy: nodeRemedy(wanted) }];
  }
  // These checks need APIs that an old Node lacks.
  const { machineChecks } = require('./machine');
  const fault = packagesFault(ROOT);
  const [machine, servers] = await Promise.all([
    machineChecks({ root: ROOT, packagesInstalled: fault === null }),
    fault === null ? serverChecks() : [],
  ]);
  return [{ ...LINE, title: 'Node', state: 'ok', found: node }, ...machine, packagesCheck(fault), ...servers];
}

/** @type {Check} */
const LINE = { group: 'machine', title: '', state: 'ok', found: '', onlyFor: null, remedy: null };

/** @param {string | null} fault @returns {Check} */
function packagesCheck(fault) {
  const line = { ...LINE, group: /** @type {const} */ ('packages'), title: 'packages' };
  if (fault === null) return { ...line, found: `${packageCount(ROOT)}, as in package-lock.json` };
  const found = `${fault}; servers and ports are checked once the packages are installed`;
  return { ...line, state: 'missing', found, remedy: REMEDY };
}

/** @returns {Promise<Check[]>} */
async function serverChecks() {
  require('./run-typescript').runTypescript();
  return require('./servers').lookAround({ repository: ROOT, environment: process.env });
}

main().then(
  (status) => (process.exitCode = status),
  (error) => {
    console.error(error);
    process.exitCode = 1;
  },
);
