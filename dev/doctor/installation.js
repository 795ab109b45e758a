// @ts-check
'use strict';
/*
 * Checks that Node and the packages match this version. Plain JavaScript without packages, in syntax that Node 16 parses, because it
 * runs before `npm ci` and on old versions of Node.
 */
const { readFileSync } = require('fs');
const { join } = require('path');

/** @typedef {{ version?: string, link?: boolean, optional?: boolean, dev?: boolean, devOptional?: boolean }} Locked */

const REMEDY = 'run "npm ci"';

/** @param {string} file @returns {any} null if the file is missing or isn't JSON */
function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

/** @param {string} text */
const numbersOf = (text) =>
  text
    .replace(/^[^\d]*/, '')
    .split('.')
    .map(Number);

/**
 * @param {string} version such as 20.19.0
 * @param {string} wanted as in `engines`: `>=20.19`
 */
function isNewEnough(version, wanted) {
  const own = numbersOf(version);
  const numbers = numbersOf(wanted);
  const differing = numbers.findIndex((part, index) => own[index] !== part);
  return differing === -1 || (own[differing] || 0) > (numbers[differing] || 0);
}

/** @param {string} root of the repository @returns {string} such as `>=20.19` */
function wantedNode(root) {
  return readJson(join(root, 'package.json')).engines.node;
}

/** @param {string} wanted */
function nodeRemedy(wanted) {
  return `install Node ${wanted.replace('>=', '')} or newer: https://nodejs.org, or "nvm install --lts"`;
}

/**
 * Returns why node_modules doesn't match package-lock.json, or null if it does. npm writes its own list of installed packages last, so
 * an interrupted install has none.
 *
 * @param {string} root
 * @param {{ runsOnly?: boolean }} [options] `runsOnly`: packages that only build and test can be absent, as in a production install
 * @returns {string | null}
 */
function packagesFault(root, { runsOnly = false } = {}) {
  const lock = readJson(join(root, 'package-lock.json'));
  if (lock === null)
    return 'package-lock.json is missing or unreadable: this copy of the repository is incomplete';
  const installed = readJson(join(root, 'node_modules', '.package-lock.json'));
  if (installed === null) {
    return readJson(join(root, 'node_modules', 'typescript', 'package.json')) === null
      ? 'the packages are not installed'
      : 'the last install of the packages was interrupted';
  }
  for (const [path, locked] of wantedPackages(lock.packages)) {
    const listed = installed.packages[path];
    const mayBeAbsent = locked.optional || (runsOnly && (locked.dev || locked.devOptional));
    if (listed === undefined && mayBeAbsent) continue;
    const manifest = readJson(join(root, path, 'package.json'));
    if (manifest === null) return `${path} is missing`;
    if (manifest.version !== locked.version) {
      return `${path} is ${manifest.version}, package-lock.json has ${locked.version}`;
    }
  }
  return null;
}

/**
 * Returns the packages in the root's node_modules, without the workspaces that npm links into it.
 *
 * @param {Record<string, Locked>} packages
 */
function wantedPackages(packages) {
  return Object.entries(packages).filter(([path, { link }]) => path.startsWith('node_modules/') && !link);
}

/** @param {string} root */
function packageCount(root) {
  return wantedPackages(readJson(join(root, 'node_modules', '.package-lock.json')).packages).length;
}

module.exports = { REMEDY, isNewEnough, nodeRemedy, packageCount, packagesFault, wantedNode };
