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

/** @typedef {import('./tools').Check} Check */

const ROOT = join(__dirname, '..', '..');

const HELP = `Usage: npm run doctor [-- --json]

Checks this machine for what the platform needs, one line each, and says how to fix what is missing: Node, npm, memory, disk,
packages, servers (found, or how to get them), ports. It doesn't install, download or build anything.

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
  const checks = await checkAll();
  const ready = checks.every(({ state }) => state !== 'missing');
  console.log(args.includes('--json') ? JSON.stringify({ ready, checks }, null, 2) : textOf(checks));
  return ready ? 0 : 1;
}

/** @returns {Promise<Check[]>} */
async function checkAll() {
  const wanted = wantedNode(ROOT);
  const { node } = process.versions;
  if (!isNewEnough(node, wanted)) {
    const found = `${node} is too old; the other checks need a newer one`;
    return [{ ...LINE, title: 'Node', state: 'missing', found, remedy: nodeRemedy(wanted) }];
  }
  // These checks need APIs that an old Node lacks.
  const { machineChecks } = require('./machine');
  const fault = packagesFault(ROOT);
  const [machine, servers] = await Promise.all([machineChecks(ROOT), fault === null ? serverChecks() : []]);
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
  runTypescript();
  return require('./servers').serverChecks({ repository: ROOT, environment: process.env });
}

/** Lets `require` load .ts files, compiled in memory as in jest (.swcrc), because the doctor must work even if the build doesn't. */
function runTypescript() {
  /** @type {typeof import('@swc/core')} */
  const { transformFileSync } = require('@swc/core');
  require.extensions['.ts'] = (module, file) => {
    const { code } = transformFileSync(file, { cwd: ROOT });
    /** @type {any} */ (module)._compile(code, file);
  };
}

const COLOURS = { ok: 32, missing: 31, note: 33 };
const STATE_WIDTH = 9;

/**
 * Returns one aligned line for each check, and another one for its remedy if there is one.
 *
 * @param {readonly Check[]} checks
 */
function textOf(checks) {
  const width = Math.max(...checks.map(({ title }) => title.length)) + 2;
  const lines = checks.flatMap(({ group, title, state, found, onlyFor, remedy }, index) => {
    const before = checks[index - 1];
    const text = onlyFor === null ? found : `${found} (only for ${onlyFor})`;
    return [
      ...(before !== undefined && before.group !== group ? [''] : []),
      `${coloured(state.padEnd(STATE_WIDTH), state)}${title.padEnd(width)}${text}`,
      ...(remedy === null ? [] : [`${' '.repeat(STATE_WIDTH + width)}→ ${remedy}`]),
    ];
  });
  const missing = checks.filter(({ state }) => state === 'missing').length;
  const things = missing === 1 ? '1 thing is' : `${missing} things are`;
  const last =
    missing === 0
      ? coloured('Both can work here: npm ci && npm run demo, npm ci && npm test', 'ok')
      : coloured(`${things} missing: follow the lines with →, then run "npm run doctor" again`, 'missing');
  return [...lines, '', last].join('\n');
}

/** @param {string} text @param {Check['state']} state */
function coloured(text, state) {
  const { stdout, env } = process;
  const isColoured = stdout.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';
  return isColoured ? `\x1b[${COLOURS[state]}m${text}\x1b[39m` : text;
}

main().then(
  (status) => (process.exitCode = status),
  (error) => {
    console.error(error);
    process.exitCode = 1;
  },
);
