// @ts-check
'use strict';
/**
 * `npm run build`: builds everything, unless all sources are the same as at the last build. A compiler takes seconds to find that nothing
 * has changed. Plain JavaScript, so that it runs without a build.
 */
const { execSync } = require('node:child_process');
const { createHash } = require('node:crypto');
const { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } = require('node:fs');
const { join, relative } = require('node:path');

const ROOT = join(__dirname, '..', '..');
/** Contains the hash of the sources that were built. */
const STAMP = join(ROOT, 'dist', '.built');
/** A build of one part writes its output, which is then newer than the stamp. */
const OUTPUTS = ['dist/.tsbuildinfo', 'agent/dist/.tsbuildinfo', 'console/dist/index.html'];
/** The build reads nothing in these folders. */
const UNREAD = new Set(['dist', 'node_modules', 'docs', 'test', 'verify']);
/** The build reads these files of the root, and none of a user's. */
const READ_AT_ROOT = /^(package(-lock)?|tsconfig.*)\.json$/;

/**
 * @param {string} folder
 * @returns {string[]}
 */
function filesBelow(folder) {
  const entries = readdirSync(folder, { withFileTypes: true }).filter(
    ({ name }) => !name.startsWith('.') && !name.endsWith('.md') && !UNREAD.has(name),
  );
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(path);
    return entry.isFile() && (folder !== ROOT || READ_AT_ROOT.test(entry.name)) ? [path] : [];
  });
}

function hashOfSources() {
  const hash = createHash('sha256');
  for (const file of filesBelow(ROOT).sort()) {
    const content = readFileSync(file);
    hash.update(`${relative(ROOT, file)}\n${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}

/** @param {string} sources */
function isBuilt(sources) {
  if (!existsSync(STAMP) || readFileSync(STAMP, 'utf8') !== sources) return false;
  const builtAt = statSync(STAMP).mtimeMs;
  return OUTPUTS.every(
    (file) => existsSync(join(ROOT, file)) && statSync(join(ROOT, file)).mtimeMs <= builtAt,
  );
}

function build() {
  const sources = hashOfSources();
  if (isBuilt(sources)) return;
  rmSync(STAMP, { force: true });
  try {
    execSync('npm run -s build:all', { cwd: ROOT, stdio: 'inherit' });
  } catch {
    // The compiler has printed its errors.
    process.exitCode = 1;
    return;
  }
  // The compiler may have read a file that was changed meanwhile.
  if (hashOfSources() === sources) writeFileSync(STAMP, sources);
}

build();
