/** Compares the files and packages that the commands of a Dockerfile stage read with those that the stage contains. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { root, textOf } from './compose-file';
import { copyOf, type Stage } from './dockerfile';

/** A file of the repository, and the file or package that it needs but the stage lacks. */
interface Missing {
  from: string;
  target: string;
}

interface Available {
  /** Files and folders of the repository. */
  copied: readonly string[];
  packages: readonly string[];
}

interface Command {
  /** Relative to the root. */
  folder: string;
  text: string;
}

/** Returns the repository's files and folders that were copied into a stage, by their paths there. */
const copiedInto = (stage: Stage): string[] =>
  stage.instructions
    .filter(({ name }) => name === 'COPY')
    .map(copyOf)
    .flatMap(({ stage: from, sources, target }) =>
      from === null
        ? sources.map((source) => (target.endsWith('/') ? join(target, basename(source)) : target))
        : [],
    );

/** Returns the packages from package.json files that a stage's `npm ci` installs. */
export const packagesOf = (stage: Stage | undefined): string[] =>
  stage === undefined ? [] : runsOf(stage).flatMap(installedBy);

/** Returns null if the stage doesn't compile anything. */
export function missingInBuild(stage: Stage): Missing[] | null {
  const commands = runsOf(stage).flatMap((run) => scriptsIn({ folder: '.', text: run }));
  const configs = commands.flatMap((command) => configOf(command) ?? []);
  if (configs.length === 0) return null;
  const available = { copied: copiedInto(stage), packages: packagesOf(stage) };
  const holds = holding(available.copied);
  const roots = configs.flatMap(rootFilesOf).filter(holds);
  const { files, missing } = followImports(roots, available);
  // Vite reads the configuration next to each file, even for files outside the workspace.
  const isVite = commands.some(({ text }) => /^vite build\b/.test(text));
  const read = new Set([...configs, ...(isVite ? files.flatMap((file) => nearestConfig(file) ?? []) : [])]);
  return [...missing, ...[...read].flatMap((config) => missingConfigs(config, holds))];
}

/** Follows the imports of the files. Type imports are included unless `only` is `running`. */
export function followImports(
  roots: readonly string[],
  { copied, packages }: Available,
  only?: 'running',
): { files: string[]; missing: Missing[] } {
  const missing: Missing[] = [];
  const files = new Set(roots);
  const holds = holding(copied);
  for (const from of files) {
    for (const name of importsOf(from, only)) {
      const isFile = name.startsWith('.');
      const target = isFile ? fileOf(join(dirname(from), name)) : packageIn(name);
      if (isFile ? !holds(target) : !packages.includes(target)) missing.push({ from, target });
      else if (isFile) files.add(target);
    }
  }
  return { files: [...files], missing };
}

const runsOf = (stage: Stage): string[] =>
  stage.instructions.filter(({ name }) => name === 'RUN').flatMap(({ text }) => text.split(/\s+&&\s+/));

const holding =
  (copied: readonly string[]) =>
  (file: string): boolean =>
    copied.some((each) => file === each || file.startsWith(`${each}/`));

interface Manifest {
  scripts: Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

const manifestOf = (folder: string): Manifest => JSON.parse(textOf(join(folder, 'package.json')));

/** Returns the commands behind the npm scripts that a command runs, at any depth, or the command itself. */
function scriptsIn({ folder, text }: Command): Command[] {
  const [, script, workspace = folder] = /^npm run (?:-s )?([\w:-]+)(?: --workspace (\w+))?/.exec(text) ?? [];
  if (script === undefined) return [{ folder, text }];
  const commands = (manifestOf(workspace).scripts[script] ?? '').split(/\s+&&\s+/);
  return commands.flatMap((each) => scriptsIn({ folder: workspace, text: each }));
}

function configOf({ folder, text }: Command): string | null {
  if (/^vite build\b/.test(text)) return join(folder, 'tsconfig.json');
  const [, project] = /^tsc -p (\S+)/.exec(text) ?? [];
  if (project === undefined) return null;
  const path = join(folder, project);
  return path.endsWith('.json') ? path : join(path, 'tsconfig.json');
}

const parsed = (config: string): { extends?: string } =>
  ts.readConfigFile(join(root, config), (path) => readFileSync(path, 'utf8')).config;

function rootFilesOf(config: string): string[] {
  const folder = join(root, dirname(config));
  return ts
    .parseJsonConfigFileContent(parsed(config), ts.sys, folder)
    .fileNames.map((file) => relative(root, file));
}

function nearestConfig(file: string): string | null {
  const config = join(dirname(file), 'tsconfig.json');
  if (existsSync(join(root, config))) return config;
  return dirname(file) === '.' ? null : nearestConfig(dirname(file));
}

function missingConfigs(config: string, holds: (file: string) => boolean): Missing[] {
  const base = parsed(config).extends;
  if (base === undefined) return [];
  const target = join(dirname(config), base);
  return [...(holds(target) ? [] : [{ from: config, target }]), ...missingConfigs(target, holds)];
}

function installedBy(run: string): string[] {
  const [, options] = /^npm ci (.*)$/.exec(run) ?? [];
  if (options === undefined) return [];
  const workspaces = [...options.matchAll(/--workspace (\w+)/g)].map(([, name = '']) => name);
  const withRoot = workspaces.length === 0 || options.includes('--include-workspace-root');
  return [...workspaces, ...(withRoot ? ['.'] : [])]
    .map(manifestOf)
    .flatMap((manifest) => [
      ...Object.keys(manifest.dependencies ?? {}),
      ...(options.includes('--omit=dev') ? [] : Object.keys(manifest.devDependencies ?? {})),
    ]);
}

const IMPORT_OF_TYPES = /^import type [^;]*;$/gm;

function importsOf(file: string, only?: 'running'): string[] {
  if (!/\.[cm]?[jt]sx?$/.test(file)) return [];
  const text = readFileSync(join(root, file), 'utf8');
  const read = only === 'running' ? text.replace(IMPORT_OF_TYPES, '') : text;
  const { importedFiles } = ts.preProcessFile(read, true, true);
  return importedFiles.map(({ fileName }) => fileName).filter((name) => !isBuiltin(name));
}

const packageIn = (name: string): string => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name;

/** Returns the source file for an import that has no extension or a compiled one. */
function fileOf(path: string): string {
  const base = path.replace(/\.[cm]?js$/, '');
  const endings = ['.ts', '.tsx', '.mts', '.js', '/index.ts'];
  const candidates = [path, ...endings.map((ending) => base + ending)];
  const isFile = (file: string): boolean =>
    statSync(join(root, file), { throwIfNoEntry: false })?.isFile() === true;
  return candidates.find(isFile) ?? path;
}
