/**
 * Removes files from node_modules that the image's programs never load:
 *
 *   node dev/build/slim-packages.js package.json
 *
 * npm also installs the root's development packages if another workspace needs them, and packages contain files for browsers, compilers and
 * debuggers. Licences are kept.
 */
'use strict';
const { existsSync, readdirSync, readFileSync, rmSync } = require('node:fs');
const { dirname, join, resolve } = require('node:path');

/** Compilers, which only build stages run. `webpack` stays, because `@temporalio/worker` loads it when it starts. */
const COMPILERS = ['@swc/core', 'swc-loader', 'source-map-loader', 'typescript'];

/** Files that only compilers, debuggers and readers open. */
const UNUSED_FILE = /\.(map|[cm]?ts|tsx|flow|md|markdown)$/;
const LICENCE = /licen[cs]e|notice|copying/i;
const UNUSED_FOLDERS = ['test', 'tests', '__tests__', 'coverage', 'docs', 'example', 'examples', 'benchmark'];

/** Browser and ES module builds inside packages that we load as CommonJS. */
const OTHER_FORMATS = [
  [/^@opentelemetry\//, ['build/esm', 'build/esnext']],
  [/^exceljs$/, ['dist']],
  [/^libphonenumber-js$/, ['bundle', 'es6', 'es6-modern', 'source']],
  [/^rxjs$/, ['dist/bundles', 'dist/esm', 'dist/esm5', 'dist/types', 'src']],
  [/^@aws-sdk\/|^@smithy\//, ['dist-es', 'dist-types']],
];

const manifestOf = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/** Returns the folder that Node loads a package from, or null if it is not installed. */
function findPackage(name, from) {
  const folder = join(from, 'node_modules', name);
  if (existsSync(join(folder, 'package.json'))) return folder;
  return dirname(from) === from ? null : findPackage(name, dirname(from));
}

function neededBy({
  dependencies = {},
  optionalDependencies = {},
  peerDependencies = {},
  peerDependenciesMeta = {},
}) {
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true);
  return [...Object.keys(dependencies), ...Object.keys(optionalDependencies), ...peers];
}

/** Returns the folders of all packages that the manifest needs at run time, at any depth. */
function neededPackages(manifest) {
  const folders = new Set([dirname(manifest)]);
  for (const folder of folders) {
    for (const name of neededBy(manifestOf(folder))) {
      const found = COMPILERS.includes(name) ? null : findPackage(name, folder);
      if (found !== null) folders.add(found);
    }
  }
  return folders;
}

/** Returns the names and folders of the packages directly in a node_modules folder. */
function packagesIn(modules) {
  if (!existsSync(modules)) return [];
  return readdirSync(modules)
    .filter((entry) => !entry.startsWith('.'))
    .flatMap((entry) =>
      entry.startsWith('@') ? readdirSync(join(modules, entry)).map((name) => `${entry}/${name}`) : [entry],
    )
    .map((name) => ({ name, folder: join(modules, name) }));
}

function removeUnusedFiles(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (entry.name !== 'node_modules') removeUnusedFiles(path);
    } else if (UNUSED_FILE.test(entry.name) && !LICENCE.test(entry.name)) rmSync(path);
  }
}

function slim(name, folder) {
  const formats = OTHER_FORMATS.filter(([names]) => names.test(name)).flatMap(([, folders]) => folders);
  for (const unused of [...UNUSED_FOLDERS, ...formats])
    rmSync(join(folder, unused), { recursive: true, force: true });
  removeUnusedFiles(folder);
}

/** Temporal's package ships its native library for every platform. Keeps only the one for this machine. */
function keepNativeLibrary(bridge) {
  if (!existsSync(bridge)) return;
  const kept = `${process.arch === 'x64' ? 'x86_64' : 'aarch64'}-unknown-linux-gnu`;
  if (!readdirSync(bridge).includes(kept)) throw new Error(`${bridge} has no ${kept}`);
  for (const release of readdirSync(bridge))
    if (release !== kept) rmSync(join(bridge, release), { recursive: true });
}

function slimAll(modules, needed) {
  for (const { name, folder } of packagesIn(modules)) {
    if (needed.has(folder)) {
      slim(name, folder);
      slimAll(join(folder, 'node_modules'), needed);
    } else rmSync(folder, { recursive: true });
  }
}

const [manifest] = process.argv.slice(2);
if (manifest === undefined)
  throw new Error('Usage: node dev/build/slim-packages.js <package.json whose dependencies to keep>');
const modules = resolve('node_modules');
rmSync(join(modules, '.bin'), { recursive: true, force: true });
slimAll(modules, neededPackages(resolve(manifest)));
keepNativeLibrary(join(modules, '@temporalio', 'core-bridge', 'releases'));
