// @ts-check
'use strict';
/*
 * Explains in one line, instead of a stack trace, why a command can't work yet. The build starts with `node dev/doctor/ready.js`;
 * `node dev/doctor/ready.js <built file> [arguments]` runs a built file in this process, as `node <built file>` would. Plain JavaScript,
 * see installation.js.
 */
const { existsSync } = require('fs');
const Module = require('module');
const { join } = require('path');
const { isNewEnough, nodeRemedy, packagesFault, REMEDY, wantedNode } = require('./installation');

const ROOT = join(__dirname, '..', '..');

/**
 * Processes that read all settings from the environment. They reject arguments, because a user who passes one expects it to have an effect.
 */
const WITHOUT_ARGUMENTS = ['dist/api/main.js', 'dist/worker/main.js', 'dist/db/migrate.js'];

/**
 * @param {string | undefined} entry the built file; undefined before the build
 * @param {string[]} args
 * @returns {{ text: string, status: number } | null}
 */
function faultOf(entry, args) {
  const wanted = wantedNode(ROOT);
  if (!isNewEnough(process.versions.node, wanted)) {
    return { text: `Node ${process.versions.node} is too old: ${nodeRemedy(wanted)}.`, status: 1 };
  }
  const packages = packagesFault(ROOT, { runsOnly: entry !== undefined });
  if (packages !== null) return { text: `${capital(packages)}: ${REMEDY}.`, status: 1 };
  if (entry === undefined) return null;
  if (!existsSync(join(ROOT, entry)))
    return { text: `${entry} is missing: run "npm run build" first.`, status: 1 };
  if (args.length === 0 || !WITHOUT_ARGUMENTS.includes(entry)) return null;
  return {
    text: `${entry} takes no options, such as "${args[0]}": set the environment variables listed in .env.example instead.`,
    status: 2,
  };
}

/** @param {string} text */
const capital = (text) =>
  text.startsWith('node_modules') ? text : text.charAt(0).toUpperCase() + text.slice(1);

const [entry, ...args] = process.argv.slice(2);
const fault = faultOf(entry, args);
if (fault !== null) {
  console.error(fault.text);
  process.exitCode = fault.status;
} else if (entry === undefined) {
  if (!existsSync(join(ROOT, 'dist')))
    console.error('Building the platform, about two minutes the first time.');
} else {
  process.argv.splice(1, 2, join(ROOT, entry));
  /** @type {any} Like node itself, this makes the entry `require.main`. */ (Module).runMain();
}
